import type { Hono } from 'hono';
import { objectOf } from './json.ts';

/** A person who exists nowhere: the same for the same number, and like nobody else in name, number and address together. */
export type MadePerson = {
  first: string;
  last: string;
  email: string;
  phone: string;
  city: string;
  country: string;
  language: string;
};

/** So many are added by one press, and at most by one call. */
const MOST = 50_000;

/** First names, last names, the beginning of a mobile number that six digits complete, city, country and language. */
const places = [
  [['Carmen', 'Íñigo', 'Lucía', 'Andrés'], ['Muñoz', 'Peña', 'García Ibáñez'], '+34 655', 'Sevilla', 'ES'],
  [
    ['Jürgen', 'Käthe', 'Sören', 'Anneliese'],
    ['Weiß', 'Müller-Lüdenscheidt', 'Öz'],
    '+49 15200',
    'Köln',
    'DE',
  ],
  [['Zoé', 'François', 'Maëlle', 'Jean-Noël'], ['Lefèvre', 'D’Aubigné', 'Garçon'], '+33 6 44', 'Nîmes', 'FR'],
  [['João', 'Conceição', 'Inês', 'Tomás'], ['Magalhães', 'Simões', 'de Araújo'], '+351 917', 'Évora', 'PT'],
  [['Grace', 'Siobhán', 'Oliver', 'Amelia'], ['O’Brien', 'Smith', 'Featherstone'], '+44 7400', 'Leeds', 'GB'],
  [['Priya', 'Arjun', 'Lakshmi', 'Dev'], ['Venkataraman', 'Iyer', 'Rao'], '+91 9876', 'Chennai', 'IN'],
  [
    ['Thaís', 'Antônio', 'Vitória', 'Cauã'],
    ['Gonçalves', 'Brandão', 'Assunção'],
    '+55 11 987',
    'São Paulo',
    'BR',
  ],
  [['ليلى', 'يوسف', 'مريم', 'خالد'], ['الحداد', 'منصور', 'العطار'], '+971 50 1', 'Dubai', 'AE'],
] as const;
const languages: Record<string, string> = { BR: 'pt', GB: 'en', IN: 'en', AE: 'ar' };

/** `number` from 0 to 999,999. */
export function makePerson(number: number): MadePerson {
  const [firsts, lasts, prefix, city, country] = places[number % places.length]!; // within the list
  const turn = Math.floor(number / places.length);
  const first = firsts[turn % firsts.length]!; // within the list
  const last = lasts[Math.floor(turn / firsts.length) % lasts.length]!; // within the list
  const digits = String(number).padStart(6, '0');
  const plain = `${first}.${last}`
    .normalize('NFD')
    .replaceAll('ß', 'ss')
    .replaceAll(/[^A-Za-z.-]/g, '');
  return {
    ...{ first, last, city, country, language: languages[country] ?? country.toLowerCase() },
    email: `${plain.length > 2 ? plain.toLowerCase() : 'customer'}.${number}@mail.example`,
    phone: `${prefix} ${digits.slice(0, 3)} ${digits.slice(3)}`,
  };
}

/** `POST …/people` `{ count }` adds so many people at once. No webhook tells of them: they are as if they had been there before. */
export function mountPeople(app: Hono, account: { addPeople(count: number): void }): void {
  app.post('/people', async (c) => {
    const { count } = objectOf(await c.req.json().catch(() => undefined));
    if (typeof count !== 'number' || !Number.isInteger(count) || count < 1 || count > MOST)
      throw new Error(`Send { "count": … } from 1 to ${MOST}.`);
    account.addPeople(count);
    return c.json({ added: count });
  });
}
