-- Entries that say for certain which fact they were; what is said of more features is now told by facts.
UPDATE activities SET description = NULL, fact_type = moved.fact_type,
       "values" = jsonb_build_object(moved.value_name,
         substr(description, length(moved.before) + 1, length(description) - length(moved.before) - length(moved.behind)))
  FROM (VALUES
         ('create', 'contacts', 'Added segment ', '', 'segment.created', 'name'),
         ('update', 'contacts', 'Updated segment ', '', 'segment.updated', 'name'),
         ('delete', 'contacts', 'Deleted segment ', '', 'segment.deleted', 'name'),
         ('create', 'templates', 'Created template ', '', 'template.created', 'name'),
         ('update', 'templates', 'Updated template ', '', 'template.updated', 'name'),
         ('delete', 'templates', 'Deleted template ', '', 'template.deleted', 'name'),
         ('update', 'templates', 'Submitted template ', ' for approval', 'template.submitted', 'name'),
         ('upload', 'media', 'Uploaded file ', '', 'media.uploaded', 'name'),
         ('delete', 'media', 'Deleted file ', '', 'media.deleted', 'name'),
         ('view', 'dashboard', 'Clicked ', '', 'dashboard.clicked', 'element'))
       AS moved (type, resource, before, behind, fact_type, value_name)
 WHERE activities.fact_type IS NULL AND activities.type = moved.type AND activities.resource = moved.resource
   AND starts_with(description, moved.before) AND right(description, length(moved.behind)) = moved.behind
   AND length(description) > length(moved.before) + length(moved.behind);
--> statement-breakpoint
UPDATE activities SET description = NULL, fact_type = moved.fact_type
  FROM (VALUES
         ('update', 'channels', 'Let the stopped WhatsApp number send again', 'channel.resumed'),
         ('view', 'dashboard', 'Viewed dashboard', 'dashboard.viewed'))
       AS moved (type, resource, sentence, fact_type)
 WHERE activities.fact_type IS NULL AND activities.type = moved.type AND activities.resource = moved.resource
   AND description = moved.sentence;
--> statement-breakpoint
-- The feed is searched by the facts whose words hold the text, in the language of its reader.
CREATE INDEX activities_facts ON activities (workspace_id, fact_type) WHERE fact_type IS NOT NULL;
