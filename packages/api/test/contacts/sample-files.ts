import { deflateRawSync } from 'node:zlib';

type Cell = string | number | { day: number } | { formula: string; value: string };

/** People whose names have letters of their own, numbered from 0. */
const FIRST = ['Jürgen', 'Zoë', 'Ann', 'José', 'François', 'Łukasz', 'Müge', 'Anna'];
const LAST = ['Groß', 'Müller', 'Lee', 'Peña', 'Lefèvre', 'Weiß', 'Öz', 'Köhler'];

export function personOf(index: number) {
  const [first, last] = [FIRST[index % FIRST.length]!, LAST[(index * 3) % LAST.length]!]; // within them
  return { first, last: `${last} ${index}`, email: `person${index}@example.com` };
}

/** A German mobile number, as a shop has it: with the zero that is dialled at home. */
export function germanNumber(index: number): string {
  return `0171 ${String(1_000_000 + index)}`;
}

/** What a shop of Shopify exports: numbers with their code behind a quote mark, consent of two kinds. */
export function writeShopify(people: number): Buffer {
  const rows = Array.from({ length: people }, (_, index) => {
    const { first, last, email } = personOf(index);
    const phone = `'+4915${String(10_000_000 + index)}`;
    const tags = index % 2 === 0 ? '"vip, newsletter"' : '';
    const sms = index % 3 === 0 ? 'no' : 'yes';
    return [index, first, last, email, 'yes', 'Shop GmbH', 'Berlin', phone, '', sms, '12.50', tags].join(',');
  });
  const head =
    'Customer ID,First Name,Last Name,Email,Accepts Email Marketing,Default Address Company,Default Address City,Default Address Phone,Phone,Accepts SMS Marketing,Total Spent,Tags';
  return Buffer.from(`\ufeff${[head, ...rows].join('\n')}\n`);
}

/** What a shop of WooCommerce exports: words of its database, numbers as people typed them. */
export function writeWooCommerce(people: number): Buffer {
  const rows = Array.from({ length: people }, (_, index) => {
    const { first, last, email } = personOf(index);
    const phone = index % 2 === 0 ? germanNumber(index) : `+49 (0)${germanNumber(index).slice(1)}`;
    return `${index};"${first}";"${last}";"${email}";"${phone}";"DE"`;
  });
  const head = 'user_id;billing_first_name;billing_last_name;billing_email;billing_phone;billing_country';
  return Buffer.from([head, ...rows].join('\r\n'));
}

/** What HubSpot exports: several numbers, of which some are empty. */
export function writeHubSpot(people: number): Buffer {
  const rows = Array.from({ length: people }, (_, index) => {
    const { first, last, email } = personOf(index);
    const [office, mobile] = [
      `+4930${String(1_000_000 + index)}`,
      index % 2 === 0 ? germanNumber(index) : '',
    ];
    return `"${index}","${first}","${last}","${office}","${mobile}","${email}","Lead"`;
  });
  const head =
    '"Record ID","First Name","Last Name","Phone Number","Mobile Phone Number","Email","Lifecycle Stage"';
  return Buffer.from([head, ...rows].join('\n'));
}

/** What an older shop of Germany exports: semicolons and the letters of Windows. */
export function writeGermanShop(people: number): Buffer {
  const rows = Array.from({ length: people }, (_, index) => {
    const { first, last, email } = personOf(index);
    return `Herr;${first.replace('Ł', 'L')};${last};${germanNumber(index)};${email};${index % 5 === 0 ? 'nein' : 'ja'}`;
  });
  return Buffer.from(
    ['Anrede;Vorname;Nachname;Telefon;E-Mail-Adresse;Newsletter', ...rows].join('\r\n'),
    'latin1',
  );
}

/** A shop of several programs: lines of UTF-8 and of Windows in one file; each tenth row has no number that is one. */
export function writeMixedShop(people: number): Buffer {
  const rows = Array.from({ length: people }, (_, index) => {
    const { first, last, email } = personOf(index);
    const phone = index % 10 === 9 ? 'keine' : germanNumber(index);
    const line = `${first.replace('Ł', 'L')};${last};${phone};${email}\r\n`;
    return Buffer.from(line, index % 3 === 0 ? 'latin1' : 'utf8');
  });
  return Buffer.concat([Buffer.from('Vorname;Nachname;Telefon;E-Mail\r\n'), ...rows]);
}

/** What a French office keeps in Excel: numbers that lost their zero, days as numbers, a formula for the name. */
export function writeFrenchWorkbook(people: number): Buffer {
  const rows = Array.from({ length: people }, (_, index): Cell[] => {
    const { first, last, email } = personOf(index);
    return [
      first,
      { formula: 'UPPER("x")', value: last },
      612_345_000 + index,
      email,
      { day: 46_000 + index },
      'oui',
    ];
  });
  const head = ['Prénom', 'Nom', 'Téléphone mobile', 'Adresse e-mail', 'Anniversaire', 'Newsletter'];
  return writeWorkbook([head, ...rows]);
}

/** An Excel file with these rows in its first sheet; the second is there to be left alone. */
export function writeWorkbook(rows: readonly (readonly Cell[])[]): Buffer {
  const texts = [...new Set(rows.flat().filter((cell) => typeof cell === 'string'))];
  const place = new Map(texts.map((text, index) => [text, index]));
  const write = (cell: Cell, column: number, row: number) => {
    const at = `r="${String.fromCharCode(65 + column)}${row + 1}"`;
    if (cell === '') return '';
    if (typeof cell === 'string') return `<c ${at} t="s"><v>${place.get(cell)}</v></c>`;
    if (typeof cell === 'number') return `<c ${at}><v>${cell}</v></c>`;
    if ('day' in cell) return `<c ${at} s="1"><v>${cell.day}</v></c>`;
    return `<c ${at} t="str"><f>${escapeXml(cell.formula)}</f><v>${escapeXml(cell.value)}</v></c>`;
  };
  const sheet = rows
    .map(
      (cells, row) =>
        `<row r="${row + 1}">${cells.map((cell, column) => write(cell, column, row)).join('')}</row>`,
    )
    .join('');
  return writeZip({
    'xl/workbook.xml':
      '<workbook><sheets><sheet name="Clients" sheetId="1" r:id="rId1"/><sheet name="Notes" sheetId="2" r:id="rId2"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Target="worksheets/sheet2.xml"/></Relationships>',
    'xl/styles.xml': '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>',
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${sheet}</sheetData></worksheet>`,
    'xl/worksheets/sheet2.xml':
      '<worksheet><sheetData><row r="1"><c t="inlineStr"><is><t>name</t></is></c><c t="inlineStr"><is><t>phone</t></is></c></row><row r="2"><c t="inlineStr"><is><t>Noted</t></is></c><c><v>33612345999</v></c></row></sheetData></worksheet>',
    'xl/sharedStrings.xml': `<sst>${texts.map((text) => `<si><t>${escapeXml(text)}</t></si>`).join('')}</sst>`,
  });
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** An archive of these files (PKWARE APPNOTE); `claimed` is what it says of the size of each. */
export function writeZip(files: Record<string, string>, claimed?: number): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const data = deflateRawSync(text);
    const size = claimed ?? Buffer.byteLength(text);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(8, 8);
    local.writeUInt32LE(data.length, 18);
    local.writeUInt32LE(size, 22);
    local.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(8, 10);
    entry.writeUInt32LE(data.length, 20);
    entry.writeUInt32LE(size, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(offset, 42);
    parts.push(local, Buffer.from(name), data);
    directory.push(entry, Buffer.from(name));
    offset += local.length + name.length + data.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, listed, end]);
}
