import type { OpenScenes } from '../scene-kit.ts';

export const openScenes: OpenScenes = ({ query, next, workspaceId, admin, addChannel }) => {
  return {
    scenes: {
      'settings.updateGeneral': async () => {
        const { version } = await (await admin.get('/api/settings/general')).json<{ version: number }>();
        // What platforms show would be handed to them: that is the next one's to try.
        return { version, businessName: `Shop ${next()}` };
      },
      'settings.updateMessaging': async () => {
        const { version } = await (await admin.get('/api/settings/messaging')).json<{ version: number }>();
        return { version, messageLimits: { isEnabled: false, perMinute: 10, perDay: 1 + (version % 300) } };
      },
      'settings.updateNoticeDefaults': async () => {
        const { version } = await (await admin.get('/api/settings/notices')).json<{ version: number }>();
        const isOn = version % 2 === 0;
        return { version, options: { weekly_report: { inApp: isOn, push: isOn, email: isOn } } };
      },
      'settings.updateNumberProfile': async () => {
        const { channelId } = await addChannel('NULL, NULL, NULL');
        const path = `/api/settings/numbers/${channelId}/profile`;
        const { version, profile } = await (
          await admin.get(path)
        ).json<{ version: number; profile: object }>();
        return { channelId, version, profile: { ...profile, about: `Shop ${next()}` } };
      },
      'settings.pushProfile': async () => {
        // The first one leaves the row and the job, all others find them.
        await query('DELETE FROM profile_pushes');
        await query(`DELETE FROM jobs.job WHERE name = 'push-profile'`);
        await query('UPDATE channels SET is_connected = true WHERE workspace_id = $1', [workspaceId]);
        return {};
      },
    },
  };
};
