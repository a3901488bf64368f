import { conversionsContract } from '@app/contracts/conversions/conversions-contract';
import { newId } from '@app/database/new-id';
import { linkBase } from '@app/domain/links/counted-link';
import { readConversionSettings } from '@app/database/conversions/conversion-settings';
import { conversionLimits } from '@app/domain/conversions/conversion-settings';
import { findByPhone } from '../contacts/contact-aliases.ts';
import { findHomeCountry } from '../contacts/home-country.ts';
import { readPhoneNumber } from '../contacts/phone-number.ts';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import type { ReadScope } from '../platform/workspace-scope.ts';
import { readCampaignConversions } from './campaign-conversions.ts';
import { changeConversionSettings } from './change-settings.ts';
import { findConversion, listConversions } from './conversions-queries.ts';
import { recordConversion } from './record-conversion.ts';

const os = implementEndpoints(conversionsContract);
const DAY_MS = 86_400_000;
/** Clocks of other machines go ahead of ours. */
const AHEAD_MS = 5 * 60_000;

export const conversionsApi = os.router({
  record: os.record.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const now = scope.clock().getTime();
      const at = input.occurredAt === undefined ? now : new Date(input.occurredAt).getTime();
      if (at > now + AHEAD_MS || at < now - conversionLimits.latenessDays * DAY_MS)
        throw errors.conversion_time_invalid({ data: { field: 'occurredAt' } });
      const contactId = await findContact(scope, input);
      if (contactId === 'contact_phone_invalid') throw errors[contactId]({ data: { field: 'phone' } });
      if (contactId === null) throw errors.contact_not_found();
      const { name, value, currency } = input;
      const { id, isNew } = await recordConversion(scope, {
        ...{ contactId, source: 'api', externalId: input.externalId ?? newId(now), name },
        value: value === undefined || currency === undefined ? null : { amount: value, currency },
        occurredAt: new Date(at),
      });
      return { ...(await findConversion(scope, id)), isNew };
    }),
  ),

  list: os.list.handler(({ input, context }) => context.read((scope) => listConversions(scope, input))),

  getSettings: os.getSettings.handler(({ context }) =>
    context.read(async (scope) => ({
      ...(await readConversionSettings(scope, scope.workspaceId)),
      base: linkBase(context.publicUrl),
    })),
  ),

  updateSettings: os.updateSettings.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      if (!(await changeConversionSettings(scope, input))) throw errors.conversion_settings_changed();
      return {
        ...(await readConversionSettings(scope, scope.workspaceId)),
        base: linkBase(context.publicUrl),
      };
    }),
  ),

  getCampaign: os.getCampaign.handler(({ input, context, errors }) =>
    context.read('counting', async (scope) => {
      const found = await readCampaignConversions(scope, input.campaignId);
      if (!found) throw errors.campaign_not_found();
      return found;
    }),
  ),
});

type Whom = { contactId?: string | undefined; phone?: string | undefined; serviceId?: string | undefined };

/** Null where there is no such contact, or where two services know different ones by this id. */
async function findContact(
  scope: ReadScope,
  { contactId, phone, serviceId }: Whom,
): Promise<string | 'contact_phone_invalid' | null> {
  if (phone !== undefined) {
    const number = readPhoneNumber(phone, (await findHomeCountry(scope)) ?? undefined);
    return number === null ? 'contact_phone_invalid' : findByPhone(scope, number);
  }
  const { rows } = await scope.query<{ id: string }>(
    contactId === undefined
      ? `SELECT DISTINCT c.id FROM integration_records r JOIN contacts c ON c.workspace_id = r.workspace_id AND c.id = r.contact_id
          WHERE r.workspace_id = $1 AND r.external_id = $2 AND NOT r.is_gone LIMIT 2`
      : 'SELECT id FROM contacts WHERE workspace_id = $1 AND id = $2',
    [scope.workspaceId, contactId ?? serviceId],
  );
  return rows.length === 1 ? rows[0]!.id : null;
}
