import { findFlowProblems } from '@app/domain/flows/check-flow';
import type { FlowFile } from '@app/domain/flows/flow-file';
import { replaceHeaders } from '@app/domain/flows/secret-headers';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useKeptForm, useOpenedForm } from '../../../shared/actions/kept-form.ts';
import { useAction } from '../../../shared/actions/use-action.ts';
import { api, orpc, readFailure } from '../../../shared/api.ts';
import { useUnsavedWarning } from '../../../shared/use-unsaved-warning.ts';
import { mayChangeFlow } from '../flow-rights.ts';
import type { WorkflowDetails } from '../workflows-queries.ts';

/** So long after the last change the draft is saved. */
const SAVE_AFTER_MS = 800;
/** Changes of the same steps within this time are undone together. */
const TOGETHER_MS = 1_000;
const MOST_UNDONE = 100;

/** What only the server knows: whether what steps refer to is there and may be used, and what time it is for the workspace. */
const serverProblems: readonly string[] = [
  ...['reference_gone', 'field_of_other_type', 'template_not_approved', 'time_past'],
];
/** What is not done yet is said once somebody wants to publish. */
const unfinished: readonly string[] = [
  'field_missing',
  'flow_empty',
  'trigger_missing',
  'conditions_invalid',
];

type History = { past: readonly FlowFile[]; future: readonly FlowFile[]; changedAt: number };
const noHistory: History = { past: [], future: [], changedAt: 0 };

/** What is edited and not saved yet, with the version that it changes. */
type Unsaved = { flow: FlowFile; version: number };

const packing = {
  /** A secret that was typed into a header is kept in this page only: the user types it again. */
  pack: ({ flow, version }: Unsaved): Unsaved => ({ flow: replaceHeaders(flow, () => ''), version }),
  unpack: (packed: Unsaved) => packed,
};

/**
 * The draft as it is edited here. It is saved by itself; each save names the version that it changes, so that nobody's changes are
 * overwritten: then it stops, and a person decides. What is not saved yet is kept on this device, and saved when the page is opened again.
 */
export function useDraft(workflow: WorkflowDetails) {
  const queryClient = useQueryClient();
  const stored: Unsaved = { flow: workflow.flow, version: workflow.version };
  const kept = useOpenedForm(mayChangeFlow('update', workflow) ? `flow:${workflow.id}` : null, stored, {
    packing,
  });
  const [left] = useState(() => readUnsaved(kept.found?.values, workflow));
  const [unsaved, setUnsaved] = useState<Unsaved | null>(left);
  const edited = unsaved?.flow ?? null;
  useKeptForm(kept, unsaved ?? stored, unsaved !== null);
  /** What was saved here last. The page hears of it a moment later, and must not show the draft before it until then. */
  const [saved, setSaved] = useState<WorkflowDetails | null>(null);
  const [history, setHistory] = useState<History>(
    left ? { past: [workflow.flow], future: [], changedAt: 0 } : noHistory,
  );
  const [wantsToPublish, setWantsToPublish] = useState(false);
  /** Of the draft that was seen last: by opening, by saving here, or by taking over what somebody else saved. */
  const version = useRef(left?.version ?? workflow.version);
  const saving = useRef<Promise<WorkflowDetails | null> | null>(null);
  const [isSaving, setSaving] = useState(false);
  const [saveError, setSaveError] = useState<unknown>(null);
  const publish = useAction({
    mutationFn: (of: { version: number; runs: 'finish' | 'move' }) =>
      api.workflows.publish({ workflowId: workflow.id, ...of }),
  });
  useUnsavedWarning(edited !== null, ['tab', 'run', 'dialog'], kept.forget);

  const newest = saved !== null && saved.version > workflow.version ? saved : workflow;
  const flow = edited ?? newest.flow;
  const latest = useRef<FlowFile | null>(null);
  useEffect(() => {
    latest.current = edited;
    if (edited === null) kept.forget();
  }, [edited, kept]);

  const store = (details: WorkflowDetails) => {
    version.current = details.version;
    setSaved(details);
    queryClient.setQueryData(orpc.workflows.get.queryKey({ input: { workflowId: workflow.id } }), details);
    void queryClient.invalidateQueries({ queryKey: orpc.workflows.list.key() });
  };

  /** Saves what is edited until nothing is left to save; null when it could not be. */
  async function saveAll(): Promise<WorkflowDetails | null> {
    let details: WorkflowDetails = workflow;
    while (latest.current !== null) {
      const wanted = latest.current;
      if (wanted.name.trim() === '') return null;
      try {
        details = await api.workflows.save({ workflowId: workflow.id, version: version.current, ...wanted });
      } catch (error) {
        setSaveError(error);
        return null;
      }
      store(details);
      // Meanwhile more may have been changed: then that is saved next.
      if (latest.current === wanted) {
        latest.current = null;
        setUnsaved(null);
      } else setUnsaved((newer) => newer && { ...newer, version: version.current });
    }
    return details;
  }

  function saveNow(): Promise<WorkflowDetails | null> {
    if (saving.current) return saving.current;
    setSaving(true);
    setSaveError(null);
    saving.current = saveAll().finally(() => {
      saving.current = null;
      setSaving(false);
    });
    return saving.current;
  }

  const failure = saveError === null ? null : readFailure(saveError).code;
  const isStopped = failure !== null;
  const saveLater = useEffectEvent(() => void saveNow());
  useEffect(() => {
    if (edited === null || isStopped) return undefined;
    const timer = setTimeout(() => saveLater(), SAVE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [edited, isStopped]);

  // Somebody else saved, and nothing is edited here: what was undone here is of an older draft.
  const forget = useEffectEvent(() => {
    if (edited !== null || workflow.version <= version.current) return;
    version.current = workflow.version;
    setHistory(noHistory);
  });
  useEffect(() => forget(), [workflow.version]);

  function put(next: FlowFile, past: History) {
    // What is edited here follows the version that was seen. Just after a save, the page may not have heard of its version yet.
    if (edited === null) version.current = Math.max(version.current, workflow.version);
    publish.reset();
    latest.current = next;
    setUnsaved({ flow: next, version: version.current });
    setHistory(past);
  }

  const found = [
    ...findFlowProblems(flow),
    ...(edited === null ? newest.problems.filter(({ code }) => serverProblems.includes(code)) : []),
  ];
  return {
    flow,
    problems: wantsToPublish ? found : found.filter(({ code }) => !unfinished.includes(code)),
    state: isSaving ? ('saving' as const) : edited === null ? ('saved' as const) : ('edited' as const),
    /** Somebody else saved a newer draft, or deleted the workflow. */
    conflict:
      failure === 'workflow_changed'
        ? ('changed' as const)
        : failure === 'workflow_not_found'
          ? 'gone'
          : null,
    error: saveError ?? publish.error,
    isPublishing: publish.isPending,
    mayUndo: history.past.length > 0,
    mayRedo: history.future.length > 0,
    change(next: FlowFile) {
      const now = Date.now();
      const isSameWriting = now - history.changedAt < TOGETHER_MS && shapeOf(next) === shapeOf(flow);
      const past = isSameWriting ? history.past : [...history.past, flow].slice(-MOST_UNDONE);
      put(next, { past, future: [], changedAt: now });
    },
    undo() {
      const before = history.past.at(-1);
      if (before)
        put(before, { past: history.past.slice(0, -1), future: [flow, ...history.future], changedAt: 0 });
    },
    redo() {
      const [after, ...future] = history.future;
      if (after) put(after, { past: [...history.past, flow], future, changedAt: 0 });
    },
    retry: () => void saveNow(),
    /** Gives up what is edited here for what is saved. */
    async takeTheirs() {
      setSaveError(null);
      latest.current = null;
      setUnsaved(null);
      setHistory(noHistory);
      await queryClient.invalidateQueries({ queryKey: orpc.workflows.get.key() });
    },
    /** Saves what is edited here over what somebody else saved. */
    async keepMine() {
      const { version: theirs } = await api.workflows.get({ workflowId: workflow.id });
      version.current = theirs;
      void saveNow();
    },
    /** Saves, and answers with the draft if it has no problems; else its problems are shown. */
    async check(): Promise<WorkflowDetails | null> {
      setWantsToPublish(true);
      const details = await saveNow();
      return details && details.problems.length === 0 ? details : null;
    },
    /** Answers whether it was published. `runs`: what becomes of those in progress. */
    async publish({ version: of }: WorkflowDetails, runs: 'finish' | 'move'): Promise<boolean> {
      try {
        store(await publish.mutateAsync({ version: of, runs }));
        setWantsToPublish(false);
        // Publishing also gives triggers their addresses.
        const changed = [
          orpc.workflows.listVersions.key(),
          orpc.workflowRuns.key(),
          orpc.workflowHooks.key(),
        ];
        for (const queryKey of changed) void queryClient.invalidateQueries({ queryKey });
        return true;
      } catch {
        return false; // Shown above the steps, from the failed call.
      }
    },
  };
}

export type Draft = ReturnType<typeof useDraft>;

/** What was edited before and not saved; null when it was saved after all, and only its answer was lost. */
function readUnsaved(found: Unsaved | undefined, { flow }: WorkflowDetails): Unsaved | null {
  return found === undefined || inOrder(found.flow) === inOrder(flow) ? null : found;
}

/** The same text for the same flow, whatever the order of its fields. */
function inOrder(flow: FlowFile): string {
  return JSON.stringify(flow, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  );
}

/** Which steps and triggers there are and how they follow each other. */
function shapeOf({ steps, triggers, start }: FlowFile): string {
  return JSON.stringify([
    start,
    triggers.map(({ id }) => id),
    steps.map(({ id, next, delay }) => [id, next, delay === null]),
  ]);
}
