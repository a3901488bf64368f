import { openXmlReader } from './xml-reader.ts';
import { readNumberKind, type NumberKind } from './cell-values.ts';

export type Sheet = { name: string; path: string; isHidden: boolean };

/** The sheets of a workbook in their order, by `workbook.xml` and its relations. */
export function readSheets(workbook: string, relations: string): { sheets: Sheet[]; isFrom1904: boolean } {
  const paths = new Map<string, string>();
  readXml(relations, (name, attribute) => {
    if (name !== 'Relationship') return;
    const target = attribute('Target') ?? '';
    paths.set(attribute('Id') ?? '', target.startsWith('/') ? target.slice(1) : `xl/${target}`);
  });
  const sheets: Sheet[] = [];
  let isFrom1904 = false;
  readXml(workbook, (name, attribute) => {
    if (name === 'workbookPr') isFrom1904 = /^(1|true)$/.test(attribute('date1904') ?? '');
    if (name !== 'sheet') return;
    const path = paths.get(attribute('id') ?? '');
    const isHidden = /hidden/i.test(attribute('state') ?? '');
    if (path !== undefined) sheets.push({ name: attribute('name') ?? '', path, isHidden });
  });
  return { sheets, isFrom1904 };
}

/** What numbers are, by the place of their style in `styles.xml`. */
export function readStyles(styles: string): NumberKind[] {
  const codes = new Map<number, string>();
  const kinds: NumberKind[] = [];
  let isInCells = false;
  readXml(
    styles,
    (name, attribute) => {
      if (name === 'numFmt') codes.set(Number(attribute('numFmtId')), attribute('formatCode') ?? '');
      if (name === 'cellXfs') isInCells = true;
      if (name !== 'xf' || !isInCells) return;
      const format = Number(attribute('numFmtId') ?? 0);
      kinds.push(readNumberKind(format, codes.get(format)));
    },
    (name) => {
      if (name === 'cellXfs') isInCells = false;
    },
  );
  return kinds;
}

function readXml(
  xml: string,
  open: (name: string, attribute: (name: string) => string | undefined) => void,
  close: (name: string) => void = () => undefined,
): void {
  const reader = openXmlReader({ open, text: () => undefined, close });
  reader.push(xml);
  reader.end();
}
