-- The hash of the link that the claimant of an account was given last.
ALTER TABLE claims ADD COLUMN token TEXT;

-- What people ask for themselves goes before invitations to hundreds.
CREATE INDEX letters_asked_for ON letters (not_before, id) WHERE state = 'waiting' AND kind <> 'invite';
