import { phoneCountries, readPhoneCountry, type PhoneCountry } from './phone-country.ts';
import { countryOfNumber } from '../settings/calling-codes.ts';

/** ISO 3166-1: three letters and two. */
const ALPHA3 = `
  ABW:AW AFG:AF AGO:AO AIA:AI ALA:AX ALB:AL AND:AD ARE:AE ARG:AR ARM:AM ASM:AS ATG:AG AUS:AU AUT:AT AZE:AZ BDI:BI BEL:BE BEN:BJ BES:BQ BFA:BF BGD:BD BGR:BG BHR:BH BHS:BS BIH:BA BLM:BL BLR:BY BLZ:BZ
  BMU:BM BOL:BO BRA:BR BRB:BB BRN:BN BTN:BT BWA:BW CAF:CF CAN:CA CCK:CC CHE:CH CHL:CL CHN:CN CIV:CI CMR:CM COD:CD COG:CG COK:CK COL:CO COM:KM CPV:CV CRI:CR CUB:CU CUW:CW CXR:CX CYM:KY CYP:CY CZE:CZ
  DEU:DE DJI:DJ DMA:DM DNK:DK DOM:DO DZA:DZ ECU:EC EGY:EG ERI:ER ESH:EH ESP:ES EST:EE ETH:ET FIN:FI FJI:FJ FLK:FK FRA:FR FRO:FO FSM:FM GAB:GA GBR:GB GEO:GE GGY:GG GHA:GH GIB:GI GIN:GN GLP:GP GMB:GM
  GNB:GW GNQ:GQ GRC:GR GRD:GD GRL:GL GTM:GT GUF:GF GUM:GU GUY:GY HKG:HK HND:HN HRV:HR HTI:HT HUN:HU IDN:ID IMN:IM IND:IN IOT:IO IRL:IE IRN:IR IRQ:IQ ISL:IS ISR:IL ITA:IT JAM:JM JEY:JE JOR:JO JPN:JP
  KAZ:KZ KEN:KE KGZ:KG KHM:KH KIR:KI KNA:KN KOR:KR KWT:KW LAO:LA LBN:LB LBR:LR LBY:LY LCA:LC LIE:LI LKA:LK LSO:LS LTU:LT LUX:LU LVA:LV MAC:MO MAF:MF MAR:MA MCO:MC MDA:MD MDG:MG MDV:MV MEX:MX MHL:MH
  MKD:MK MLI:ML MLT:MT MMR:MM MNE:ME MNG:MN MNP:MP MOZ:MZ MRT:MR MSR:MS MTQ:MQ MUS:MU MWI:MW MYS:MY MYT:YT NAM:NA NCL:NC NER:NE NFK:NF NGA:NG NIC:NI NIU:NU NLD:NL NOR:NO NPL:NP NRU:NR NZL:NZ OMN:OM
  PAK:PK PAN:PA PER:PE PHL:PH PLW:PW PNG:PG POL:PL PRI:PR PRK:KP PRT:PT PRY:PY PSE:PS PYF:PF QAT:QA REU:RE ROU:RO RUS:RU RWA:RW SAU:SA SDN:SD SEN:SN SGP:SG SHN:SH SJM:SJ SLB:SB SLE:SL SLV:SV SMR:SM
  SOM:SO SPM:PM SRB:RS SSD:SS STP:ST SUR:SR SVK:SK SVN:SI SWE:SE SWZ:SZ SXM:SX SYC:SC SYR:SY TCA:TC TCD:TD TGO:TG THA:TH TJK:TJ TKL:TK TKM:TM TLS:TL TON:TO TTO:TT TUN:TN TUR:TR TUV:TV TWN:TW TZA:TZ
  UGA:UG UKR:UA URY:UY USA:US UZB:UZ VAT:VA VCT:VC VEN:VE VGB:VG VIR:VI VNM:VN VUT:VU WLF:WF WSM:WS XKX:XK YEM:YE ZAF:ZA ZMB:ZM ZWE:ZW`;

/** What people write beside the names that languages have. */
const ALSO = `
  uk:GB greatbritain:GB britain:GB england:GB scotland:GB wales:GB northernireland:GB grossbritannien:GB granbretana:GB inglaterra:GB grandebretagne:GB angleterre:GB unitedkingdomofgreatbritainandnorthernireland:GB
  usa:US us:US unitedstatesofamerica:US america:US vereinigtestaatenvonamerika:US amerika:US eeuu:US estadosunidosdeamerica:US etatsunisdamerique:US eua:US brd:DE bundesrepublikdeutschland:DE germany:DE alemania:DE
  allemagne:DE alemanha:DE niederlande:NL holland:NL thenetherlands:NL holanda:NL hollande:NL paisesbajos:NL paysbas:NL czechrepublic:CZ ceskarepublika:CZ tschechischerepublik:CZ republicacheca:CZ republiquetcheque:CZ republicatcheca:CZ
  ivorycoast:CI cotedivoire:CI elfenbeinkuste:CI costademarfil:CI costadomarfim:CI uae:AE emirates:AE eau:AE southkorea:KR republicofkorea:KR koreasouth:KR korea:KR northkorea:KP russia:RU russianfederation:RU turkey:TR turkiye:TR
  vietnam:VN macedonia:MK northmacedonia:MK swaziland:SZ capeverde:CV burma:MM easttimor:TL palestine:PS drc:CD congokinshasa:CD congobrazzaville:CG hongkong:HK macau:MO macao:MO taiwan:TW vatican:VA schweiz:CH suisse:CH svizzera:CH
  osterreich:AT brasil:BR mexico:MX mejico:MX espana:ES italia:IT danmark:DK norge:NO sverige:SE suomi:FI polska:PL magyarorszag:HU hellas:GR belgique:BE belgie:BE moldova:MD syria:SY iran:IR bolivia:BO venezuela:VE tanzania:TZ laos:LA brunei:BN`;

const LANGUAGES = [
  'en',
  'es',
  'fr',
  'de',
  'pt',
  'it',
  'nl',
  'pl',
  'tr',
  'ru',
  'ar',
  'id',
  'zh',
  'ja',
  'sv',
  'da',
  'nb',
  'fi',
  'cs',
  'hu',
  'ro',
  'el',
  'uk',
  'he',
  'ko',
  'vi',
  'th',
  'hr',
];

let names: ReadonlyMap<string, PhoneCountry> | undefined;

/**
 * The country that a cell of a file names: two or three letters (ISO 3166-1), a name in one of many languages, or a calling code such as `+49`. Null for an
 * empty cell, undefined for what names none.
 */
export function readCountryName(text: string): PhoneCountry | null | undefined {
  const word = bare(text);
  if (word === '') return null;
  const code = /^(?:\+|00)?(\d{1,4})$/.exec(text.trim())?.[1];
  if (code !== undefined) return readPhoneCountry(countryOfNumber(`${code}000000000`) ?? '') ?? undefined;
  const region = /^[a-z]{2}[-_]([A-Z]{2})$/.exec(text.trim())?.[1];
  names ??= listNames();
  const inBrackets = /\(([A-Za-z]{2,3})\)\s*$/.exec(text)?.[1];
  return (
    readPhoneCountry(text.trim().toUpperCase()) ??
    names.get(word) ??
    readPhoneCountry(region ?? '') ??
    (inBrackets === undefined
      ? undefined
      : (readPhoneCountry(inBrackets.toUpperCase()) ?? names.get(bare(inBrackets))))
  );
}

function listNames(): ReadonlyMap<string, PhoneCountry> {
  const known = new Map<string, PhoneCountry>();
  const add = (name: string, code: string) => {
    const country = readPhoneCountry(code);
    if (country && name !== '' && !known.has(name)) known.set(name, country);
  };
  for (const pair of `${ALPHA3} ${ALSO}`.trim().split(/\s+/)) {
    const [name = '', code = ''] = pair.split(':');
    add(name.toLowerCase(), code);
  }
  for (const language of LANGUAGES) {
    const display = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
    for (const country of phoneCountries) add(bare(display.of(country) ?? ''), country);
  }
  return known;
}

function bare(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ı', 'i')
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}
