import { useQuery } from '@tanstack/react-query';
import { conditionsOf, type SegmentRules } from '@app/domain/segments/segment-rules';
import { orpc, type api } from '../../../shared/api.ts';
import { useCustomFields } from '../../../shared/contacts/custom-fields.ts';
import { useLiveQuery } from '../../../shared/live/use-live-query.ts';
import { can } from '../../../shared/session.ts';
import type { RuleNames } from './audience-words.ts';
import type { ChosenSegment } from './audience-selection.ts';

export type Segment = Awaited<ReturnType<typeof api.segments.list>>['items'][number];

/** The server lists so many; beyond that a segment that is not listed may still be there. */
const MOST_LISTED = 1000;
const MOST_CAMPAIGNS = 200;

/** Every segment, kept current while it is shown. */
export function useSegments() {
  useLiveQuery(['contacts'], [orpc.segments.list.key()]);
  return useQuery({ ...orpc.segments.list.queryOptions({ input: {} }), enabled: can('contacts:read') });
}

/** A chosen segment as it is now. */
export interface KnownSegment {
  id: string;
  name: string;
  /** Undefined while it is not known, and when it is gone. */
  rules: SegmentRules | undefined;
  isDeleted: boolean;
}

/** The chosen segments under the names and with the rules that they have now. */
export function useKnownSegments(chosen: readonly ChosenSegment[]): KnownSegment[] {
  const { data } = useSegments();
  const isComplete = data !== undefined && data.items.length < MOST_LISTED;
  return chosen.map(({ segmentId, name }) => {
    const found = data?.items.find(({ id }) => id === segmentId);
    return {
      id: segmentId,
      name: found?.name ?? name,
      rules: found?.rules,
      isDeleted: found === undefined && isComplete,
    };
  });
}

/** Names of the campaigns and custom fields that rules speak of; campaigns are asked for only when they do. */
export function useRuleNames(rules: readonly SegmentRules[]): RuleNames {
  const isNeeded = rules.some((each) => conditionsOf(each).some(({ kind }) => kind.startsWith('campaign_')));
  const { data } = useQuery({
    ...orpc.campaigns.list.queryOptions({ input: { limit: MOST_CAMPAIGNS } }),
    enabled: isNeeded && can('campaigns:read'),
  });
  const fields = useCustomFields() ?? [];
  return new Map([
    ...(data?.items ?? []).map(({ id, name }) => [id, name] as const),
    ...fields.map(({ id, label }) => [id, label] as const),
  ]);
}
