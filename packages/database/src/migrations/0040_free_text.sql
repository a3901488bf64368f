-- Whether a message of ours leaves only while the contact's window is open: free text through a channel that has one.
ALTER TABLE messages ADD COLUMN needs_window boolean NOT NULL DEFAULT false;
