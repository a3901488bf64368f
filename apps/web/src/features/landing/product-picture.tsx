import { t } from '../../shared/messages.ts';

/** As the pictures are. */
const SIZE = { width: 2040, height: 1260 };
const pictures = [
  { theme: 'light', className: 'dark:hidden' },
  { theme: 'dark', className: 'hidden dark:block' },
] as const;

/** The home of the product as it is, in the theme of the reader; a picture that is not shown is not loaded. */
export function ProductPicture() {
  return (
    <figure className="mx-auto max-w-6xl px-4 pt-16 sm:px-6 sm:pt-20">
      {pictures.map(({ theme, className }) => (
        <img
          key={theme}
          {...SIZE}
          src={`/pictures/dashboard-${theme}.webp`}
          alt={t('landing.product.alt')}
          loading="lazy"
          decoding="async"
          className={`${className} h-auto w-full rounded-card border border-border shadow-raised`}
        />
      ))}
      <figcaption className="mt-3 text-center text-base text-muted">
        {t('landing.product.caption')}
      </figcaption>
    </figure>
  );
}
