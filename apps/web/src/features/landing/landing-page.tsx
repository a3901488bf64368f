import { useRef } from 'react';
import { t } from '../../shared/messages.ts';
import { usePageTitle } from '../../shared/page-title.ts';
import { ContactSection } from './contact-section.tsx';
import { FeatureSection } from './feature-section.tsx';
import { Hero } from './hero.tsx';
import { LandingFooter } from './landing-footer.tsx';
import { PricingSection } from './pricing-section.tsx';
import { ProductPicture } from './product-picture.tsx';
import { ReviewSection } from './review-section.tsx';
import { SalesDialog } from './sales-dialog.tsx';
import { StatsStrip } from './stats-strip.tsx';
import { TopBar } from './top-bar.tsx';

/** The public page. It is also rendered to a file while building, so nothing here may need a browser to draw. */
export function LandingPage() {
  usePageTitle(t('landing.title'));
  const salesDialog = useRef<HTMLDialogElement>(null);
  const talkToSales = () => {
    salesDialog.current?.showModal();
    salesDialog.current?.querySelector('input')?.focus();
  };
  return (
    <div className="min-h-dvh overflow-x-clip bg-raised text-lg leading-7 [scroll-padding-top:5rem]">
      <a
        href="#content"
        className="sr-only layer-skip rounded-card bg-primary px-4 py-2 font-medium text-on-primary focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        {t('common.skipToContent')}
      </a>
      <TopBar />
      <main id="content" tabIndex={-1} className="outline-none">
        <Hero onTalkToSales={talkToSales} />
        <StatsStrip />
        <ProductPicture />
        <FeatureSection />
        <ReviewSection />
        <PricingSection />
        <ContactSection onTalkToSales={talkToSales} />
      </main>
      <LandingFooter />
      <SalesDialog ref={salesDialog} />
    </div>
  );
}
