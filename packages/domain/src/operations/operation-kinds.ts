import type { Permission } from '../auth/permissions.ts';

type KindRules = {
  /** Who sees how far it is, cancels it, and reads its file: holders of all of them. */
  access: readonly Permission[];
  mayCancel: boolean;
  /** What comes of it is a file about people who are here: it goes when one of them is erased. */
  makesFile: boolean;
  /** Beginning it asks for a recent re-authentication, and so does downloading its file at any later time. */
  fileNeedsProof?: true;
};

/** Every kind of act that takes long. Their names are for ever, because rows and waiting jobs keep them. */
export const operationKinds = {
  'contact-import': { access: ['contacts:create'], mayCancel: true, makesFile: false },
  'contact-removal': { access: ['contacts:delete'], mayCancel: true, makesFile: false },
  'contact-restore': { access: ['contacts:delete'], mayCancel: false, makesFile: false },
  'contact-consents': { access: ['contacts:update'], mayCancel: true, makesFile: false },
  'contact-edit': { access: ['contacts:update'], mayCancel: true, makesFile: false },
  'contact-export': {
    access: ['contacts:read', 'contacts:export'],
    mayCancel: true,
    makesFile: true,
    fileNeedsProof: true,
  },
  'data-export': {
    access: ['settings:manage', 'contacts:read', 'templates:read', 'campaigns:read'],
    mayCancel: true,
    makesFile: true,
    fileNeedsProof: true,
  },
  'data-import': {
    access: [
      ...(['settings:manage', 'contacts:create', 'contacts:update'] as const),
      ...(['templates:create', 'templates:update', 'campaigns:create'] as const),
    ],
    mayCancel: true,
    makesFile: false,
  },
  'data-replacement': {
    access: [
      ...(['settings:manage', 'contacts:create', 'contacts:delete', 'messages:read'] as const),
      ...(['templates:create', 'templates:delete', 'campaigns:create', 'campaigns:delete'] as const),
    ],
    mayCancel: true,
    makesFile: false,
  },
  'data-clear': { access: ['settings:manage'], mayCancel: false, makesFile: false },
  'workspace-archive': {
    access: [
      ...(['settings:manage', 'contacts:read', 'templates:read'] as const),
      ...(['campaigns:read', 'messages:read'] as const),
    ],
    mayCancel: true,
    makesFile: true,
    fileNeedsProof: true,
  },
  'archive-check': {
    access: [
      ...(['settings:manage', 'contacts:read', 'templates:read'] as const),
      ...(['campaigns:read', 'messages:read'] as const),
    ],
    mayCancel: true,
    makesFile: false,
  },
  'archive-replacement': {
    access: [
      ...(['settings:manage', 'contacts:create', 'contacts:delete', 'messages:read'] as const),
      ...(['templates:create', 'templates:delete', 'campaigns:create', 'campaigns:delete'] as const),
    ],
    mayCancel: true,
    makesFile: false,
  },
  'results-export': {
    access: ['campaigns:read', 'contacts:read', 'contacts:export'],
    mayCancel: true,
    makesFile: true,
  },
  'workflow-move': { access: ['campaigns:update'], mayCancel: true, makesFile: false },
  'workflow-simulation': {
    access: ['campaigns:update', 'contacts:read'],
    mayCancel: true,
    makesFile: false,
  },
  'webhook-resend': { access: ['settings:manage'], mayCancel: true, makesFile: false },
} as const satisfies Record<string, KindRules>;

export type OperationKindName = keyof typeof operationKinds;
export const operationKindNames = Object.keys(operationKinds) as OperationKindName[]; // these are its keys

export function rulesOf(kind: OperationKindName): KindRules {
  return operationKinds[kind];
}

/** Kinds whose file tells of people. */
export const fileKindNames = operationKindNames.filter((kind) => operationKinds[kind].makesFile);

/** So long a file that somebody asked for is kept for them. */
export const HOURS_FILE_KEPT = 24;
/** So long an act that is over is known at all: then its row goes, and with an import what came of it and the way back. */
export const DAYS_OPERATION_STORED = 90;
/** So long what an act came to is shown to whoever began it, unless they put it away. */
export const HOURS_RESULT_SHOWN = 1;
