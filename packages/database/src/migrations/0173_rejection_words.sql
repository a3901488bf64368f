-- What stands as a reason and is no code of the platform is what it wrote: the next synchronisation puts the code beside it.
UPDATE templates SET rejection_text = rejection_reason, rejection_reason = NULL
  WHERE rejection_text IS NULL AND rejection_reason !~ '^[A-Za-z_]+$';
