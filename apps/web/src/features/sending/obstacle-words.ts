import type { ConfirmObstacle } from '../../ui/overlays/confirm-request.ts';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { segmentDeletedText } from './sending-failure.ts';
import type { Preflight } from './start-question.ts';

/** `number_off`: of a campaign that has begun, and leaves through no other number. */
export type Obstacle = NonNullable<Preflight['obstacle']> | 'number_off';
type Found = {
  obstacle: Obstacle | null;
  templateObstacle?: Preflight['templateObstacle'];
  deletedSegmentIds?: readonly string[];
};

/** Where an obstacle is mended. */
export type RemedyPlace = 'settings' | 'message' | 'audience';

/** The ways there that somebody has from where they are. */
export type Remedies = Partial<Record<RemedyPlace, () => void>>;

export function obstacleText(
  { obstacle, templateObstacle, deletedSegmentIds = [] }: Found & { obstacle: Obstacle },
  segments: readonly { id: string; name: string }[],
): string {
  switch (obstacle) {
    case 'not_connected':
      return t('sending.obstacle.notConnected');
    case 'channel_stopped':
      return t('sending.obstacle.channelStopped');
    case 'template_not_approved':
      return templateObstacle
        ? t(`sending.obstacle.template.${templateObstacle}`)
        : t('sending.obstacle.templateNotApproved');
    case 'chosen_number_off':
      return t('sending.obstacle.chosenNumberOff');
    case 'number_off':
      return t('sending.obstacle.numberOff');
    case 'template_elsewhere':
      return t('sending.obstacle.templateElsewhere');
    case 'content_not_active':
      return t('sending.obstacle.contentNotActive');
    case 'content_elsewhere':
      return t('sending.obstacle.contentElsewhere');
    case 'content_file_gone':
      return t('sending.obstacle.contentFileGone');
    case 'segment_deleted':
      return segmentDeletedText(
        segments.filter(({ id }) => deletedSegmentIds.includes(id)).map(({ name }) => name),
      );
  }
}

export function placeOfRemedy(obstacle: Obstacle): RemedyPlace {
  if (obstacle === 'segment_deleted') return 'audience';
  const ofMessage: readonly Obstacle[] = [
    ...(['template_not_approved', 'template_elsewhere', 'content_not_active', 'content_elsewhere'] as const),
    'content_file_gone',
  ];
  return ofMessage.includes(obstacle) ? 'message' : 'settings';
}

/** What keeps a start from being said yes to. What only waits, such as for a stopped number, is started all the same. */
export function obstacleOfStart(
  found: Found,
  remedies: Remedies,
  segments: readonly { id: string; name: string }[] = [],
): ConfirmObstacle | undefined {
  const { obstacle } = found;
  if (obstacle === null || obstacle === 'channel_stopped') return undefined;
  const place = placeOfRemedy(obstacle);
  // Nobody is led to a page that turns them away.
  const onSelect = place === 'settings' && !can('settings:read') ? undefined : remedies[place];
  const labels = {
    settings: t('sending.obstacle.openSettings'),
    message: t('sending.preflight.chooseTemplate'),
    audience: t('sending.preflight.chooseContacts'),
  };
  return {
    text: obstacleText({ ...found, obstacle }, segments),
    step: onSelect && { label: labels[place], onSelect },
  };
}

/** What sending means is told to whoever can say yes to it. */
export function unlessObstacle(obstacle: ConfirmObstacle | undefined, text: string) {
  return obstacle ? { obstacle } : { text };
}
