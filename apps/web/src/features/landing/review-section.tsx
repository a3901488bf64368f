import { t } from '../../shared/messages.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { LandingSection } from './landing-section.tsx';

const reviews = ['shop', 'clinic', 'agency'] as const;

export function ReviewSection() {
  return (
    <div className="border-y border-border bg-surface">
      <LandingSection id="testimonials" title={t('landing.reviews.title')} text={t('landing.reviews.note')}>
        <ul className="grid gap-5 lg:grid-cols-3">
          {reviews.map((review) => (
            <li key={review} className="flex">
              <figure className="flex flex-1 flex-col rounded-2xl border border-border bg-raised p-6">
                <blockquote className="flex-1 text-pretty">“{t(`landing.review.${review}`)}”</blockquote>
                <figcaption className="mt-6 flex items-center gap-3 text-base leading-5">
                  <Avatar name={t(`landing.review.${review}Name`)} />
                  <span>
                    <span className="block font-semibold">{t(`landing.review.${review}Name`)}</span>
                    <span className="block text-sm text-muted">{t(`landing.review.${review}Role`)}</span>
                  </span>
                </figcaption>
              </figure>
            </li>
          ))}
        </ul>
      </LandingSection>
    </div>
  );
}
