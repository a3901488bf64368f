-- A large campaign with the best time of each contact is frozen after its start, as any other large one: until then the run keeps the hours
-- that can be chosen, as {"zone", "since", "slots": [{"hour", "at", "prior"}]}. Null otherwise.
ALTER TABLE delivery_runs ADD COLUMN best_times jsonb;
