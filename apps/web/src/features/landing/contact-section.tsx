import { t } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { noteNewcomer } from '../../shared/sign-in/newcomer.ts';

export function ContactSection({ onTalkToSales }: { onTalkToSales: () => void }) {
  return (
    <section
      id="contact"
      aria-labelledby="contact-title"
      className="scroll-mt-16 px-4 pb-20 sm:px-6 sm:pb-24"
    >
      <div className="relative mx-auto max-w-[69rem] overflow-hidden rounded-3xl bg-[#06352d] px-6 py-14 text-white sm:px-12 sm:py-16">
        <div
          aria-hidden
          className="absolute inset-0 bg-[radial-gradient(40%_80%_at_90%_0%,#0f7a64_0%,transparent_70%),radial-gradient(40%_80%_at_0%_100%,#0a5a63_0%,transparent_70%)]"
        />
        <div className="relative">
          <h2
            id="contact-title"
            className="max-w-2xl text-[clamp(1.75rem,4vw,2.5rem)] leading-[1.15] font-semibold tracking-[-0.02em] text-balance"
          >
            {t('landing.contact.title')}
          </h2>
          <p className="mt-3 max-w-xl text-[#cfe9e2]">{t('landing.contact.text')}</p>
          <div className="mt-8 flex flex-wrap gap-3">
            <a
              href={paths.dashboard}
              onClick={noteNewcomer}
              className="flex h-11 items-center rounded-card bg-white px-5 font-medium text-[#06352d] transition-colors hover:bg-[#d9f3ec]"
            >
              {t('landing.startTrial')}
            </a>
            <button
              type="button"
              onClick={onTalkToSales}
              className="h-11 rounded-card border border-white/45 px-5 font-medium transition-colors hover:bg-white/10"
            >
              {t('landing.talkToSales')}
            </button>
          </div>
        </div>
      </div>
    </section>
  );
}
