-- As before, but most batches have nobody who did not leave, and then nothing is looked up.
-- Settles recipients and gives back the charges of those that certainly did not leave, in the same commit: only where the row now stands
-- as it was to be settled, so that what a report proved meanwhile stays charged.
CREATE OR REPLACE FUNCTION settle_charged_recipients(p_run bigint, p_owner text, p_epoch bigint, p_seqs integer[], p_attempts smallint[],
  p_states smallint[], p_released boolean[], p_at double precision[], p_message_ids text[], p_codes text[], p_details text[],
  p_not_before double precision[], p_retries integer[], p_give_back date[]) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  p_workspace uuid;
  p_refs text[];
BEGIN
  PERFORM settle_recipients(p_run, p_owner, p_epoch, p_seqs, p_attempts, p_states, p_released, p_at, p_message_ids, p_codes,
    p_details, p_not_before, p_retries, p_give_back);
  IF NOT p_states && '{3,4,6}'::smallint[] THEN RETURN; END IF;
  SELECT workspace_id INTO p_workspace FROM delivery_runs WHERE run_no = p_run AND owner = p_owner AND epoch = p_epoch;
  IF NOT FOUND THEN RETURN; END IF;
  SELECT array_agg('r' || p_run || '.' || i.seq || '.' || i.attempt) INTO p_refs
  FROM unnest(p_seqs, p_attempts, p_states) AS i(seq, attempt, state)
  JOIN delivery_recipients r ON r.run_no = p_run AND r.seq = i.seq AND r.seq = ANY(p_seqs) AND r.state = i.state
  WHERE i.state IN (3, 4, 6);
  IF p_refs IS NOT NULL THEN PERFORM return_charges(p_workspace, p_refs); END IF;
END $$;
