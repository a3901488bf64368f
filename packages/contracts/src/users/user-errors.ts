/** Errors of members, invitations and roles, see `errorTable`. */
export const userErrors = {
  user_not_found: { status: 404, message: 'There is no such user in this workspace.' },
  user_changed: { status: 409, message: 'Someone else changed this user in the meantime.' },
  user_is_self: { status: 409, message: 'You cannot change your own role or remove your own access.' },
  user_above: { status: 403, message: 'This user has permissions that you do not have.' },
  user_waits: { status: 409, message: 'This user waits for approval. Activate the account first.' },
  user_fields_invalid: { status: 422, message: 'Please correct the marked fields.' },
  user_elsewhere: { status: 409, message: 'This account also belongs to another workspace.' },
  role_too_high: { status: 403, message: 'You cannot assign a role with permissions that you do not have.' },
  workspaces_by_admins: { status: 403, message: 'Only an admin of a workspace can create another one.' },
  sample_account: {
    status: 409,
    message: 'The password of a sample account is public. Use your own account.',
  },
  last_admin: { status: 409, message: 'A workspace needs at least one active admin.' },
  heir_not_found: { status: 404, message: 'There is no such active user to hand over to.' },
  email_invalid: { status: 422, message: 'Please enter a valid email address' },
  user_exists: { status: 409, message: 'An account with this address already exists in this workspace.' },
  user_invited: { status: 409, message: 'This address is already invited. Send that invitation again.' },
  invitation_not_found: { status: 404, message: 'There is no such open invitation.' },
  invitation_invalid: {
    status: 422,
    message: 'This invitation has expired, was revoked or was already used.',
  },
  invitation_signed_out: {
    status: 409,
    message: 'This invitation is for an existing account. Sign in to it to join.',
  },
  invitation_of_other: { status: 409, message: 'This invitation is for another account.' },
  too_many_mails: { status: 429, message: 'An email was sent a moment ago. Please try again later.' },
  role_permissions_changed: {
    status: 409,
    message: 'Someone else changed the permissions in the meantime.',
  },
  permission_not_held: { status: 403, message: 'You cannot change permissions that you do not have.' },
} as const;
