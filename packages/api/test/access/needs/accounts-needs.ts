import type { FeatureNeeds } from './feature-needs.ts';

export const accountsNeeds: FeatureNeeds = {
  endpoints: {
    nobody: 'auth.getSession auth.getSignInHints',
    'signed in': `apiKeys.listOwn apiKeys.create apiKeys.rename apiKeys.revoke companySignIn.get companySignIn.beginLink
      companySignIn.beginReauthentication companySignIn.unlink passkeys.list passkeys.beginAdding passkeys.add passkeys.remove
      profile.get profile.update profile.updatePreferences profile.setLanguage profile.setTheme profile.setLoginAlerts
      profile.removeAvatar profile.changePassword profile.confirmPassword profile.listSessions profile.endSession
      profile.endOtherSessions profile.changeEmail profile.withdrawEmail profile.getNotificationChoices
      profile.updateNotificationChoices profile.setStartHidden twoFactor.get twoFactor.begin twoFactor.enable
      twoFactor.disable twoFactor.makeRecoveryCodes`,
    'users:manage': 'twoFactor.require',
    'settings:read': 'apiKeys.listAll',
  },
  addresses: {
    nobody: ['GET /api/profile/unsubscribe/:kind/:token', 'POST /api/profile/unsubscribe/:kind/:token'],
    'signed in': ['POST /api/profile/avatar'],
  },
  ownAuthentication: ['ALL /api/auth/*'],
  reauthentication: [
    'passkeys.beginAdding',
    'passkeys.add',
    'passkeys.remove',
    'profile.setLoginAlerts',
    'profile.changeEmail',
    'companySignIn.beginLink',
    'companySignIn.unlink',
    'apiKeys.create',
    'twoFactor.begin',
    'twoFactor.disable',
    'twoFactor.makeRecoveryCodes',
    'twoFactor.require',
  ],
  setUp: [
    'twoFactor.get',
    'twoFactor.begin',
    'twoFactor.enable',
    'profile.get',
    'profile.setLanguage',
    'profile.setTheme',
    'profile.confirmPassword',
    'companySignIn.get',
    'companySignIn.beginReauthentication',
  ],
};
