/** A condition on `messages m`: it may not leave any more, and nobody has yet to say whether it did. What a workspace keeps for a time goes then. */
export const MESSAGE_IS_OVER = `(m.state IS NULL OR m.state IN ('accepted', 'refused', 'cancelled'))`;

/** A condition on `message_files f`: it has a message that may not leave any more, or had one. */
export const FILE_IS_OVER = `(f.message_id IS NOT NULL AND f.state <> 'removed'
  AND NOT EXISTS (SELECT FROM messages m WHERE m.id = f.message_id AND NOT ${MESSAGE_IS_OVER}))`;

/** A condition on `platform_events p`: what was set aside is still to be stored. */
export const TOLD_IS_OVER = `p.kind <> 'set_aside'`;
