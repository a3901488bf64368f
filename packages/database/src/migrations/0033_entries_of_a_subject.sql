-- Whoever is erased is taken out of the entries about them, of which most are about contacts by now.
CREATE INDEX activities_subject ON activities (workspace_id, subject_id) WHERE subject_id IS NOT NULL;
