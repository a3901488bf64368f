export type { FlowEffectParts as EffectParts } from '../../../platform/features/server-feature.ts';
