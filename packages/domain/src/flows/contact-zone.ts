import { countryOfNumber } from '../settings/calling-codes.ts';

/**
 * Countries whose clocks all show the same time, with their zone (IANA 2025). Left out are countries with several times, and codes that several
 * countries with different times share: their numbers tell no zone.
 */
const ZONES = `
  AD=Europe/Andorra AE=Asia/Dubai AF=Asia/Kabul AL=Europe/Tirane AM=Asia/Yerevan AO=Africa/Luanda AR=America/Argentina/Buenos_Aires AT=Europe/Vienna
  AW=America/Aruba AZ=Asia/Baku BA=Europe/Sarajevo BD=Asia/Dhaka BE=Europe/Brussels BF=Africa/Ouagadougou BG=Europe/Sofia BH=Asia/Bahrain
  BI=Africa/Bujumbura BJ=Africa/Porto-Novo BN=Asia/Brunei BO=America/La_Paz BT=Asia/Thimphu BW=Africa/Gaborone BY=Europe/Minsk BZ=America/Belize
  CF=Africa/Bangui CG=Africa/Brazzaville CH=Europe/Zurich CI=Africa/Abidjan CK=Pacific/Rarotonga CM=Africa/Douala CO=America/Bogota
  CR=America/Costa_Rica CU=America/Havana CV=Atlantic/Cape_Verde CW=America/Curacao CY=Asia/Nicosia CZ=Europe/Prague DE=Europe/Berlin DJ=Africa/Djibouti
  DK=Europe/Copenhagen DZ=Africa/Algiers EE=Europe/Tallinn EG=Africa/Cairo ER=Africa/Asmara ET=Africa/Addis_Ababa FI=Europe/Helsinki FJ=Pacific/Fiji
  FK=Atlantic/Stanley FO=Atlantic/Faroe FR=Europe/Paris GA=Africa/Libreville GB=Europe/London GE=Asia/Tbilisi GF=America/Cayenne GH=Africa/Accra
  GI=Europe/Gibraltar GM=Africa/Banjul GN=Africa/Conakry GP=America/Guadeloupe GQ=Africa/Malabo GR=Europe/Athens GT=America/Guatemala GW=Africa/Bissau
  GY=America/Guyana HK=Asia/Hong_Kong HN=America/Tegucigalpa HR=Europe/Zagreb HT=America/Port-au-Prince HU=Europe/Budapest IE=Europe/Dublin
  IL=Asia/Jerusalem IN=Asia/Kolkata IO=Indian/Chagos IQ=Asia/Baghdad IR=Asia/Tehran IS=Atlantic/Reykjavik IT=Europe/Rome JO=Asia/Amman JP=Asia/Tokyo
  KE=Africa/Nairobi KG=Asia/Bishkek KH=Asia/Phnom_Penh KM=Indian/Comoro KP=Asia/Pyongyang KR=Asia/Seoul KW=Asia/Kuwait KZ=Asia/Almaty LA=Asia/Vientiane
  LB=Asia/Beirut LI=Europe/Vaduz LK=Asia/Colombo LR=Africa/Monrovia LS=Africa/Maseru LT=Europe/Vilnius LU=Europe/Luxembourg LV=Europe/Riga
  LY=Africa/Tripoli MA=Africa/Casablanca MC=Europe/Monaco MD=Europe/Chisinau ME=Europe/Podgorica MG=Indian/Antananarivo MH=Pacific/Kwajalein
  MK=Europe/Skopje ML=Africa/Bamako MM=Asia/Yangon MO=Asia/Macau MQ=America/Martinique MR=Africa/Nouakchott MT=Europe/Malta MU=Indian/Mauritius
  MV=Indian/Maldives MW=Africa/Blantyre MY=Asia/Kuala_Lumpur MZ=Africa/Maputo NA=Africa/Windhoek NC=Pacific/Noumea NE=Africa/Niamey NF=Pacific/Norfolk
  NG=Africa/Lagos NI=America/Managua NL=Europe/Amsterdam NO=Europe/Oslo NP=Asia/Kathmandu NR=Pacific/Nauru NU=Pacific/Niue OM=Asia/Muscat
  PA=America/Panama PE=America/Lima PH=Asia/Manila PK=Asia/Karachi PL=Europe/Warsaw PM=America/Miquelon PS=Asia/Gaza PW=Pacific/Palau
  PY=America/Asuncion QA=Asia/Qatar RO=Europe/Bucharest RS=Europe/Belgrade RW=Africa/Kigali SA=Asia/Riyadh SB=Pacific/Guadalcanal SC=Indian/Mahe
  SD=Africa/Khartoum SE=Europe/Stockholm SG=Asia/Singapore SH=Atlantic/St_Helena SI=Europe/Ljubljana SK=Europe/Bratislava SL=Africa/Freetown
  SM=Europe/San_Marino SN=Africa/Dakar SO=Africa/Mogadishu SR=America/Paramaribo SS=Africa/Juba ST=Africa/Sao_Tome SV=America/El_Salvador
  SY=Asia/Damascus SZ=Africa/Mbabane TD=Africa/Ndjamena TG=Africa/Lome TH=Asia/Bangkok TJ=Asia/Dushanbe TK=Pacific/Fakaofo TL=Asia/Dili TM=Asia/Ashgabat
  TN=Africa/Tunis TO=Pacific/Tongatapu TR=Europe/Istanbul TV=Pacific/Funafuti TW=Asia/Taipei TZ=Africa/Dar_es_Salaam UG=Africa/Kampala
  UY=America/Montevideo UZ=Asia/Tashkent VE=America/Caracas VN=Asia/Ho_Chi_Minh VU=Pacific/Efate WF=Pacific/Wallis WS=Pacific/Apia YE=Asia/Aden
  ZA=Africa/Johannesburg ZM=Africa/Lusaka ZW=Africa/Harare`;

export const countryZones: ReadonlyMap<string, string> = new Map(
  ZONES.trim()
    .split(/\s+/)
    .map((entry) => entry.split('=') as [string, string]),
);

/** The time zone of the country of a number where it has one, else that of the workspace. */
export function contactZoneOf(phone: string | null, workspaceZone: string): string {
  const country = phone === null ? null : countryOfNumber(phone);
  return (country === null ? undefined : countryZones.get(country)) ?? workspaceZone;
}
