/**
 * Every advisory lock of the product. The number is the key itself, the first of its two halves, or the seed of the hash
 * of a text, so that no two of them ever wait for each other; no other file says one.
 */
export const advisoryLocks = {
  /** One process migrates at a time. */
  migration: 7_302_118,
  /** With the first run of a partition: who makes it. Stands in the migrations too. */
  partition: 7_302_119,
  /** Hash of a campaign: its run begins once. */
  runOfCampaign: 7_302_120,
  /** With a run: who freezes the rest of its audience. */
  restOfRun: 7_302_121,
  /** One process folds counters at a time. */
  applyCounters: 7_302_122,
  /** Hash of an engine's owner: it lives for as long as its connection does. */
  engineAlive: 7_302_123,
  /** Sign-ups wait for each other, so that one of them is the first. */
  signUp: 7_302_124,
  /** The sample workspace is made once. */
  sample: 7_302_125,
  /** Hash of a workspace: who freezes an audience, and who merges contacts. */
  contactsOfWorkspace: 7_302_126,
  /** Hash of a workspace: its live events get their ids in the order of their commits. */
  liveEvents: 7_302_127,
  /** Hash of a workspace: its templates are submitted one after the other. */
  templateSubmission: 7_302_128,
  /** Hash of a person's identifier: who erases it, and who adds it. */
  person: 7_302_129,
  /** Hash of a workspace: its imports are saved one after the other. */
  contactImport: 7_302_130,
  /** Hash of a workspace: its custom fields change one after the other. */
  customFields: 7_302_131,
  /** Test databases: who builds the template that they are copied from. */
  testTemplate: 7_302_132,
  /** Hash of an act's key: who does it. */
  request: 7_302_133,
  /** Hash of a consumer of facts: one process at a time reads for it. */
  factConsumer: 7_302_134,
  /** One process at a time sets the cursors of another cluster anew. */
  factCursors: 7_302_135,
  /** Hash of a workspace: how many of its imports wait is counted one after the other. */
  importQueue: 7_302_148,
  /** Hash of a workspace: who its people are, and what they may do, changes one act after the other. */
  membersOfWorkspace: 7_302_142,
  /** Hash of a provider's name of somebody: they come for the first time once. */
  companyIdentity: 7_302_150,
  /** Hash of a workspace and a person, or a workspace alone: the views of one owner change one after the other. */
  conversationViews: 7_302_151,
  /** Hash of a workspace: whoever begins to read all of it waits for those who are erasing somebody. */
  readWorkspace: 7_302_152,
  /** Hash of a workspace: campaigns that leave out who is about to get another start one after the other. */
  restedAudience: 7_302_153,
  /** Who brings in runs that have places before they have rows, and who drops places of no run. */
  emptyPartitions: 7_302_154,
  /** Hash of the name of a database that a backup is tried in: it is in use for as long as this is held. */
  scratchDatabase: 7_302_155,
  /** Hash of a workspace: entries of the knowledge of its bot are added one after the other. */
  botKnowledge: 7_302_380,
  /** One process at a time folds rollups, compares replies and counts the past. */
  rollups: 7_302_160,
  /** Who counts messages of the past, alone, and who changes one of them. Stands in the migrations too. */
  messageBackfill: 7_302_161,
  /** Hash of a workspace and a person: their views of analytics are saved one after the other. */
  reportViews: 7_302_164,
  /** Hash of a workspace: syncs take the room that the plan leaves for contacts one after the other. */
  contactRoom: 7_302_169,
} as const;
