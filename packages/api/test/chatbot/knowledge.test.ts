import { deflateRawSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import type { KnowledgeEntry } from '../../src/chatbot/knowledge/knowledge-entries.ts';
import { openApiFixture, type ApiResponse } from '../api-fixture.ts';
import { createSandbox } from '@app/sandbox/sandbox';

const api = await openApiFixture();
const admin = await api.as('admin');
const agent = await api.as('agent');
const viewer = await api.as('viewer');
const sandbox = createSandbox();
const { url } = await sandbox.start({ port: 0 });
afterAll(async () => {
  await api.close();
  await sandbox.close();
});

const problemOf = async (response: ApiResponse) => {
  const { error } = await response.json<{
    error: { code: string; details?: { values?: { word?: string } } };
  }>();
  return [response.status, error.code, error.details?.values?.word].filter(Boolean).join(' ');
};
const upload = (name: string, bytes: Uint8Array | string, id = crypto.randomUUID()) =>
  admin.request(`/api/bot/knowledge/files/${id}?name=${encodeURIComponent(name)}`, {
    method: 'POST',
    body: bytes as string, // the request takes both
  });
const found = async (question: string) =>
  (
    await (
      await viewer.get(`/api/bot/knowledge/search?question=${encodeURIComponent(question)}`)
    ).json<{ items: { title: string; text: string }[] }>()
  ).items.map(({ title }) => title);

/** The smallest document that Word opens. */
function document(text: string, { isEncrypted = false } = {}): Buffer {
  const name = Buffer.from('word/document.xml');
  const xml = `<w:document><w:body><w:p><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p></w:body></w:document>`;
  const packed = deflateRawSync(xml);
  const flag = isEncrypted ? 1 : 0;
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50);
  local.writeUInt16LE(flag, 6);
  local.writeUInt16LE(8, 8);
  local.writeUInt32LE(packed.length, 18);
  local.writeUInt32LE(xml.length, 22);
  local.writeUInt16LE(name.length, 26);
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50);
  entry.writeUInt16LE(flag, 8);
  entry.writeUInt16LE(8, 10);
  entry.writeUInt32LE(packed.length, 20);
  entry.writeUInt32LE(xml.length, 24);
  entry.writeUInt16LE(name.length, 28);
  const start = local.length + name.length + packed.length;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(entry.length + name.length, 12);
  end.writeUInt32LE(start, 16);
  return Buffer.concat([local, name, packed, entry, name, end]);
}

/** One page with one line, with the places of its objects. */
function pdf(text: string, extra = ''): string {
  const stream = text === '' ? '' : `BT /F1 12 Tf 72 720 Td (${text}) Tj ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let file = '%PDF-1.4\n';
  const places = objects.map((object, index) => {
    const place = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return String(place).padStart(10, '0');
  });
  const table = `xref\n0 6\n0000000000 65535 f \n${places.map((place) => `${place} 00000 n \n`).join('')}`;
  return `${file}${table}trailer\n<< /Size 6 /Root 1 0 R ${extra} >>\nstartxref\n${file.length}\n%%EOF`;
}

test('a question with its answer is added, found in other forms and without accents, changed and removed', async () => {
  const pair = { question: '¿Cuándo abren los sábados?', answer: 'De 10 a 14.' };
  const made = await (await agent.post('/api/bot/knowledge', pair)).json<KnowledgeEntry>();
  expect(made).toMatchObject({ kind: 'pair', title: pair.question, answer: pair.answer, version: 1 });
  expect(await found('horario sabado')).toEqual([pair.question]);
  expect(await found('the weather & (rain) | !x')).toEqual([]);
  const path = `/api/bot/knowledge/${made.id}`;
  const changed = await admin.put(path, { question: 'Do you ship abroad?', answer: 'Yes.', version: 1 });
  expect(await changed.json()).toMatchObject({ title: 'Do you ship abroad?', version: 2 });
  expect(await found('sabado')).toEqual([]);
  expect(await problemOf(await admin.put(path, { ...pair, version: 1 }))).toBe('409 bot_knowledge_changed');
  expect((await viewer.post('/api/bot/knowledge', pair)).status).toBe(403);
  expect((await admin.delete(path)).status).toBe(200);
  expect(await problemOf(await admin.delete(path))).toBe('404 bot_knowledge_not_found');
});

longTest.each<[string, string | Buffer, string]>([
  ['prices.pdf', pdf('Red shoes cost 49 euros'), 'shoes'],
  ['returns.docx', document('Returns are free &amp; take 14 days.'), 'return'],
  ['hours.md', '# Hours\n\nWe open at nine.', 'opening'],
  ['stock.csv', 'article,stock\nlamp,4', 'lamps'],
  ['latin.txt', Buffer.from('Gr\xfc\xdfe vom Caf\xe9', 'latin1'), 'cafe'],
])('%s is read and found', async (name, bytes, question) => {
  const id = crypto.randomUUID();
  const added = await upload(name, bytes, id);
  expect(await added.json()).toMatchObject({ id, kind: 'file', title: name });
  expect(await found(question)).toContain(name);
  // The same request again adds nothing.
  expect(await (await upload(name, bytes, id)).json()).toMatchObject({ id, version: 1 });
});

longTest.each<[string, string, string | Buffer, string]>([
  ['an empty file', 'a.txt', '', 'empty'],
  ['a PDF without text', 'scan.pdf', pdf(''), 'no_text'],
  ['a picture that says it is a PDF', 'a.pdf', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), 'wrong_type'],
  ['a program that says it is a text', 'a.txt', Buffer.from([0x4d, 0x5a, 0, 0, 1]), 'wrong_type'],
  ['a picture', 'a.jpg', 'x', 'wrong_type'],
  ['a broken PDF', 'a.pdf', '%PDF-1.7 broken', 'unreadable'],
  [
    'a PDF with a password',
    'a.pdf',
    pdf(
      'secret',
      `/ID [<00> <00>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O (${'o'.repeat(32)}) /U (${'u'.repeat(32)}) >>`,
    ),
    'encrypted',
  ],
  ['an encrypted document', 'a.docx', document('secret', { isEncrypted: true }), 'encrypted'],
  [
    'a document in the way of Word to encrypt',
    'a.docx',
    Buffer.from('d0cf11e0a1b11ae10000', 'hex'),
    'encrypted',
  ],
  ['an archive that is no document', 'a.docx', Buffer.from('PK\x03\x04nothing'), 'wrong_type'],
  ['a text of a million letters and one', 'a.txt', 'a'.repeat(1_000_001), 'too_long'],
])('%s is refused', async (_, name, bytes, problem) =>
  expect(await problemOf(await upload(name, bytes))).toBe(`422 bot_knowledge_unreadable ${problem}`),
);

test('a file of more than 20 MB is refused before it is read', async () =>
  expect((await upload('a.txt', new Uint8Array(20 * 1024 * 1024 + 1))).status).toBe(413));

longTest('a page is read, without what surrounds it, and addresses of the own network are not', async () => {
  const read = await admin.post('/api/bot/knowledge/addresses', { url: `${url}/` });
  expect(await read.json()).toMatchObject({
    kind: 'address',
    title: 'Sandbox',
    url: `${url}/`,
    problem: null,
  });
  for (const [address, problem] of [
    ['http://169.254.169.254/latest', 'address_refused'],
    [`${url}/nothing-here`, 'not_found'],
    [`${url}/_sandbox/whatsapp/media/1`, 'not_found'],
  ])
    expect(await problemOf(await admin.post('/api/bot/knowledge/addresses', { url: address }))).toBe(
      `422 bot_knowledge_unreadable ${problem}`,
    );
});

test('a file whose long name is cut in the middle of a sign is taken', async () => {
  const answer = await upload(`${'😀'.repeat(100)}a.txt`, 'Opening hours are from nine to five.');
  expect(answer.status).toBe(200);
});
