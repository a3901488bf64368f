import { afterAll, beforeEach, expect } from 'vitest';
import { createTestSecretBox, openApiFixture } from './api-fixture.ts';
import { arriveWith } from './arriving-events.ts';

export type ArrivedContact = { id: string; version: number; optedOutAt: string | null };

/** A workspace with a number at which events arrive, and its admin; each test of the file begins without contacts. */
export async function openArrivals(overrides: Parameters<typeof openApiFixture>[0] = {}) {
  const secrets = await createTestSecretBox();
  const api = await openApiFixture({ secrets, ...overrides });
  const admin = await api.as('admin');
  const arrive = arriveWith(api, { secrets, channelId: await api.addChannel() });
  // oxlint-disable-next-line typescript/no-explicit-any -- rows of whatever a test asks for
  const query = async <Row extends object = any>(text: string, values: unknown[] = []): Promise<Row[]> =>
    (await api.db.systemPool.query<Row>(text, values)).rows;
  beforeEach(async () => {
    for (const table of [
      'messages',
      'contacts',
      'deleted_contacts',
      'contact_merges',
      'contact_aliases',
      'merged_contacts',
    ])
      await query(`DELETE FROM ${table}`);
  });
  afterAll(() => api.close());
  return {
    ...{ api, admin, secrets, arrive, query },
    async add(phone: string): Promise<ArrivedContact> {
      const response = await admin.post('/api/contacts', { name: 'Ann', phone });
      expect(response.status).toBe(200);
      return response.json<ArrivedContact>();
    },
    read: async (id: string) => (await admin.get(`/api/contacts/${id}`)).json<ArrivedContact>(),
  };
}
