import { kindList } from '../channel-kinds/kind-list.ts';

/** The columns of an import file that mean something; others are left alone. */
export const importColumns = ['name', 'phone', 'email', 'tags', 'status', 'language'] as const;
export type ImportColumn = (typeof importColumns)[number];

/** Where a file has a name in several columns; together they are the name. A company is one where no person is named. */
export const nameParts = ['firstName', 'lastName', 'middleName', 'company'] as const;
export type NamePart = (typeof nameParts)[number];

/** Of which country the numbers of a row are that have no code; it is no part of a contact. */
export const countryColumn = 'country';
export type CountryColumn = typeof countryColumn;

/** What the last column of a file of failed rows is called: nothing that an import reads. */
export const REASON_HEADING = 'Import error';

const list = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

const ofKinds = (names: 'phoneHeadings' | 'nameHeadings'): ReadonlySet<string> =>
  new Set(kindList.flatMap(({ fileNames }) => fileNames[names]));

type Named = Exclude<ImportColumn, 'phone' | 'status'> | NamePart | CountryColumn;

/** What address books, shops and CRMs call our columns; case, accents and what stands between words do not count. */
const OTHER_NAMES: Record<Named, ReadonlySet<string>> = {
  name: list(`
    name fullname contact contactname customer customername displayname client clientname recipient recipientname personname
    profilename buyername username subscribername leadname membername
    nombre nombrecompleto nombreyapellido nombreyapellidos nombrecliente nombredelcliente cliente contacto
    nom nomcomplet nomclient nomduclient nometprenom prenometnom prenomnom nomprenom destinataire
    kunde kundin kontakt kundenname nameskunden vollstandigername vorundnachname vornamenachname nachnamevorname anzeigename
    empfanger ansprechpartner
    nome nomecompleto nomecliente nomedocliente nomeesobrenome contato`),
  email: list(`
    email emailaddress mail mailaddress emailid useremail workemail personalemail
    emailadresse mailadresse elektronischepost
    correo correoelectronico direcciondecorreo direcciondecorreoelectronico email1
    courriel adresseemail adressemail adressecourriel adresseelectronique mel
    enderecodeemail correioeletronico`),
  tags: list(`
    tags tag labels label groups group groupmembership categories lists segments
    etiquetas etiqueta grupos etiquettes etiquette groupes marcadores
    schlagworter schlagwort gruppen etiketten stichworte`),
  language: list(`
    language lang locale languagecode preferredlanguage preferredlocale customerlanguage customerlocale userlanguage
    communicationlanguage languagepreference contactlanguage mainlanguage
    idioma idiomapreferido idiomapreferencial lenguaje lengua codigodeidioma
    langue languepreferee languedecommunication codelangue languedepreference
    sprache bevorzugtesprache sprachcode muttersprache korrespondenzsprache kundensprache sprachkurzel
    lingua`),
  firstName: list(`
    firstname first fname forename givenname christianname firstnames customerfirstname
    vorname rufname prenom prenoms nombredepila primernombre nombrepila primeironome nomeproprio`),
  lastName: list(`
    lastname last lname surname familyname secondname lastnames customerlastname
    nachname familienname lastname2 zuname nomdefamille nomfamille apellido apellidos primerapellido sobrenome apelido ultimonome`),
  middleName: list(`
    middlename middlenames additionalname secondfirstname zweitervorname weiterevornamen mittelname segundonombre otrosnombres deuxiemeprenom autresprenoms
    segundonome nomedomeio`),
  company: list(`
    company companyname organization organisation organizationname organisationname organization1name business businessname employer shopname
    firma firmenname unternehmen organisationsname betrieb empresa nombredelaempresa nombreempresa compania organizacion razonsocial
    entreprise societe nomdelentreprise nomsociete raisonsociale nomedaempresa nomeempresa companhia organizacao razaosocial`),
  country: list(`
    country countrycode countryname countryiso countryiso2 countryisocode countryregion countryorregion nation countrycodeiso addresscountry countrycodeforphone
    land landercode landescode laenderkennzeichen landerkennzeichen landregion staat pais paisregion codigodepais codigopais codigodopais pays paysregion codepays
    paisouregiao`),
};

/** What kinds of channels call the name of a contact. */
const KIND_NAMES = ofKinds('nameHeadings');

/** By which a channel reaches somebody most likely, then which a person carries along, then any. */
const PHONES: readonly ReadonlySet<string>[] = [
  ofKinds('phoneHeadings'),
  list(`mobile mobilephone mobilenumber mobileno mobilephonenumber cell cellphone cellnumber cellphonenumber cellular sms smsnumber
    smsphone smsphonenumber phonemobile
    handy handynummer handynr mobil mobiltelefon mobilnummer mobilnr mobilfunk mobilfunknummer telefonmobil
    movil celular telefonomovil telefonocelular numerodemovil numerodecelular numerocelular
    portable mobilefr telephoneportable telephonemobile telportable telmobile numeroportable numerodeportable gsm
    telemovel telefonecelular telefonemovel numerodotelemovel numerodocelular`),
  list(`phone phonenumber phoneno phonenumbers contactnumber contactno contactphone telephone telephonenumber telephoneno tel telno
    customerphone number msisdn primaryphone mainphone defaultphone
    telefon telefonnummer telefonnr rufnummer fon kontaktnummer
    telefono numerodetelefono numerotelefono numerodecontacto
    numerodetelephone ndetelephone notelephone numtelephone numerotelephone numtel
    telefone numerodetelefone numerotelefone telefonecontato`),
  list(`homephone homephonenumber workphone workphonenumber businessphone companyphone officephone landline phonehome phonework
    phoneother otherphone secondaryphone alternatephone phone2 telefon2 telefonprivat telefongeschaftlich festnetz festnetznummer
    telefonfestnetz telefonofijo telefonocasa telefonotrabajo fijo telephonefixe fixe telfixe telephonedomicile telephonebureau
    telefonefixo telefonecasa telefonecomercial`),
];

/** Of which address or person a column is, as shops and CRMs say before or behind it. */
const OF_ADDRESS =
  /^(?:billing|shipping|mailing|business|home|delivery|invoice|defaultaddress|default|address|customer|contact|client|person|primary|main|order|rechnungs?|rechnungsadresse|liefer|lieferung|lieferadresse|kunden?|kontakt|facturacion|envio|cliente|facturation|livraison|cobranca|faturamento|entrega)(?=\w)/;
const BEHIND =
  /(?<=\w)(?:billing|shipping|rechnungsadresse|lieferadresse|rechnung|facturacion|envio|facturation|livraison|cobranca|entrega|work|primary|default|business|home|mailing|geschaftlich|privat|[1-9]value|[1-9]|value)$/;

const OTHER_COLUMNS = [
  'name',
  'email',
  'tags',
  'language',
  'firstName',
  'lastName',
  'middleName',
  'company',
  'country',
] as const;

type Found = { column: Named; rank: 0 } | { column: 'phone'; rank: number };

/** What a heading of another program means most likely. The number of a person goes before that of one of their addresses. */
export function findOtherName(heading: string): Found | undefined {
  const word = bare(heading);
  const [, plain = ''] = /^([^()]+)\([^()]*\)\s*$/.exec(heading) ?? [];
  return (
    findByWord(word) ??
    [bare(plain), word.replace(OF_ADDRESS, ''), word.replace(BEHIND, '')]
      .filter((part) => part !== '' && part !== word)
      .map(findByWord)
      .map((found) => (found?.column === 'phone' ? { ...found, rank: found.rank + 0.5 } : found))
      .find((found) => found && found.column !== 'tags')
  );
}

function findByWord(word: string): Found | undefined {
  const rank = PHONES.findIndex((names) => names.has(word));
  if (rank !== -1) return { column: 'phone', rank };
  for (const column of OTHER_COLUMNS) if (OTHER_NAMES[column].has(word)) return { column, rank: 0 };
  if (KIND_NAMES.has(word)) return { column: 'name', rank: 0 };
  return undefined;
}

/** Small letters and figures alone, without accents. */
function bare(heading: string): string {
  return heading
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** Values where headings should stand: an address, a number, or nothing but figures. */
export function looksLikeData(cells: readonly string[]): boolean {
  return cells.some((cell) => isAddress(cell) || isLongNumber(cell));
}

export function isAddress(cell: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(cell.trim());
}

/** As numbers of telephones are. */
export function isLongNumber(cell: string): boolean {
  return /^['+(]?[\d\s().+\-/]+$/.test(cell.trim()) && cell.replaceAll(/\D/g, '').length >= 6;
}
