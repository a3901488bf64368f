import { useEffect, useState } from 'react';
import { newKey } from '../../shared/api.ts';
import { OFFLINE_PREFIX } from '../../shared/offline/offline-copy.ts';
import { ownerHere } from '../../shared/session.ts';
import { packSelection, unpackSelection } from '../sending/audience/audience-selection.ts';
import type { CampaignFormValues } from './campaign-form-values.ts';

/** A new campaign on its way to the server: until an answer comes, a reload goes on with the same key and makes no second one. */
export interface UnansweredCampaign {
  key: string;
  values: CampaignFormValues;
}

/** How a form lies on this device. */
export const keptCampaign = {
  pack: (values: CampaignFormValues) => ({ ...values, selection: packSelection(values.selection) }),
  unpack: (packed: PackedCampaign): CampaignFormValues => ({
    ...packed,
    // One that was written before there were any has none.
    ...{
      contentId: packed.contentId ?? null,
      fallback: packed.fallback ?? null,
      bestTime: packed.bestTime ?? false,
      abTest: packed.abTest ?? null,
    },
    countsLinks: packed.countsLinks ?? true,
    selection: unpackSelection(packed.selection),
  }),
};

type PackedCampaign = Omit<CampaignFormValues, 'selection'> & {
  selection: Parameters<typeof unpackSelection>[0];
};

/**
 * Keeps one on this device.
 *
 * @param owner whose it is: `ownerHere`
 * @param form a new one, or the copy of which campaign
 */
export function openUnanswered(owner: string, form: string) {
  const place = `${OFFLINE_PREFIX}campaign-unanswered:${owner}:${form}`;
  const found = read(place);
  const key = found?.key ?? newKey();
  return {
    key,
    found,
    /** Before the request leaves: the tab may be gone when its answer comes. */
    keep(values: CampaignFormValues): void {
      try {
        localStorage.setItem(place, JSON.stringify({ key, values: keptCampaign.pack(values) }));
      } catch {
        // Without storage the key lasts as long as the form.
      }
    },
    /** Answered, or given up. */
    forget(): void {
      if (read(place)?.key === key) localStorage.removeItem(place);
    },
  };
}

function read(place: string): UnansweredCampaign | undefined {
  try {
    const stored = localStorage.getItem(place);
    if (stored === null) return undefined;
    const { key, values } = JSON.parse(stored);
    return { key, values: keptCampaign.unpack(values) };
  } catch {
    // One of another version, or a damaged one, is no reason to fail.
    return undefined;
  }
}

/** What this form was about to make when its tab was closed or read anew; leaving the form gives it up. */
export function useUnanswered(form: string, isNew: boolean) {
  const [unanswered] = useState(() => (isNew ? openUnanswered(ownerHere(), form) : undefined));
  useEffect(() => () => unanswered?.forget(), [unanswered]);
  return unanswered;
}
