import type { Queries } from '@app/database/database';
import type { CompanyIdentity } from '@app/domain/company-sign-in/company-provider';
import type { CompanyRules } from '@app/domain/company-sign-in/company-rules';
import type { InterfaceLanguage } from '@app/domain/text/interface-language';
import type pg from 'pg';
import type { Origin } from '../../platform/origin.ts';
import type { ScopeOf } from '../../platform/system-work.ts';
import type { AuthParts } from '../auth-parts.ts';

/** Somebody whom the provider knows, inside of the transaction in which they come. */
export type Arrival = {
  parts: AuthParts;
  tx: Queries;
  client: pg.PoolClient;
  scopeOf: ScopeOf;
  identity: CompanyIdentity;
  rules: CompanyRules;
  origin: Origin;
  language: InterfaceLanguage;
};

/** An administrator has to let them in first. */
export type Waiting = { isPending: true; mustConfirmAddress: boolean };
export type Arrived = { userId: string; email: string } | Waiting;
