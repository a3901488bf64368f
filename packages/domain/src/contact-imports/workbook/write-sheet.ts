/** What a cell of a workbook that we write holds: a text stays one, so that no spreadsheet makes a number of a telephone's. */
export type WrittenCell = string | { number: number } | { day: string };

/** How many rows a sheet can have (ECMA-376 in Excel). */
export const ROWS_OF_SHEET = 1_048_576;
const CHARACTERS_OF_CELL = 32_767;
const WIDTH = 22;
const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const SHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** By their place in `styles`: all texts are shown as such, also what is typed over them. */
const [HEADING, TEXT, DAY] = [1, 2, 3];

/** The beginning of a sheet, whose headings stay in sight. */
export function openSheetXml(headings: readonly string[]): string {
  return `${DECLARATION}<worksheet xmlns="${SHEET}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols><col min="1" max="${Math.max(1, headings.length)}" width="${WIDTH}" customWidth="1"/></cols><sheetData><row>${headings.map((text) => textCell(text, HEADING)).join('')}</row>`;
}

export function writeRowXml(cells: readonly WrittenCell[]): string {
  return `<row>${cells.map(writeCell).join('')}</row>`;
}

export const SHEET_END = '</sheetData></worksheet>';

function writeCell(cell: WrittenCell): string {
  if (typeof cell === 'string') return cell === '' ? '<c/>' : textCell(cell, TEXT);
  if ('number' in cell) return `<c><v>${cell.number}</v></c>`;
  const serial = dayNumber(cell.day);
  return serial === null ? textCell(cell.day, TEXT) : `<c s="${DAY}"><v>${serial}</v></c>`;
}

function textCell(text: string, style: number): string {
  const shown = escapeXml(text.slice(0, CHARACTERS_OF_CELL));
  return `<c s="${style}" t="inlineStr"><is><t xml:space="preserve">${shown}</t></is></c>`;
}

/** How spreadsheets count days; null before the first of March 1900, from which on all agree. */
function dayNumber(day: string): number | null {
  const serial = (Date.parse(`${day}T00:00:00Z`) - Date.UTC(1899, 11, 30)) / 86_400_000;
  return Number.isInteger(serial) && serial > 60 ? serial : null;
}

/** XML has no room for most control characters. */
function escapeXml(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\P{Cc}]|[\ufffe\uffff]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;');
}

/** The files of a workbook beside its sheets, which are `xl/worksheets/sheet1.xml` and so on. */
export function workbookParts(sheets: number): { name: string; text: string }[] {
  const numbers = Array.from({ length: sheets }, (_, index) => index + 1);
  const relation = (id: string, kind: string, target: string) =>
    `<Relationship Id="${id}" Type="${RELATIONS}/${kind}" Target="${target}"/>`;
  const relations = (all: readonly string[]) =>
    `${DECLARATION}<Relationships xmlns="${PACKAGE}/relationships">${all.join('')}</Relationships>`;
  const override = (path: string, kind: string) =>
    `<Override PartName="${path}" ContentType="${TYPES}.${kind}+xml"/>`;
  return [
    {
      name: 'xl/workbook.xml',
      text: `${DECLARATION}<workbook xmlns="${SHEET}" xmlns:r="${RELATIONS}"><sheets>${numbers.map((n) => `<sheet name="Sheet${n}" sheetId="${n}" r:id="rId${n}"/>`).join('')}</sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      text: relations([
        ...numbers.map((n) => relation(`rId${n}`, 'worksheet', `worksheets/sheet${n}.xml`)),
        relation('rIdStyles', 'styles', 'styles.xml'),
      ]),
    },
    { name: 'xl/styles.xml', text: STYLES },
    { name: '_rels/.rels', text: relations([relation('rId1', 'officeDocument', 'xl/workbook.xml')]) },
    {
      name: '[Content_Types].xml',
      text: `${DECLARATION}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${override('/xl/workbook.xml', 'sheet.main')}${override('/xl/styles.xml', 'styles')}${numbers.map((n) => override(`/xl/worksheets/sheet${n}.xml`, 'worksheet')).join('')}</Types>`,
    },
  ];
}

const format = (number: number, font = 0) =>
  `<xf numFmtId="${number}" fontId="${font}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>`;
const [GENERAL, SHORT_DAY, AS_TEXT] = [0, 14, 49];
const font = (bold: string) => `<font>${bold}<sz val="11"/><name val="Calibri"/></font>`;
const STYLES = `${DECLARATION}<styleSheet xmlns="${SHEET}"><fonts count="2">${font('')}${font('<b/>')}</fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="4">${format(GENERAL)}${format(AS_TEXT, 1)}${format(AS_TEXT)}${format(SHORT_DAY)}</cellXfs></styleSheet>`;
