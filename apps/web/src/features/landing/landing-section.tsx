import type { ReactNode } from 'react';

/** One part of the page, reached by its anchor. */
export function LandingSection({
  id,
  title,
  text,
  children,
}: {
  id: string;
  title: string;
  text?: string;
  children: ReactNode;
}) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="scroll-mt-16 py-20 sm:py-24">
      <div className="mx-auto max-w-6xl px-4 sm:px-6">
        <h2
          id={`${id}-title`}
          className="max-w-2xl text-[clamp(1.75rem,4vw,2.5rem)] leading-[1.15] font-semibold tracking-[-0.02em] text-balance"
        >
          {title}
        </h2>
        {text ? <p className="mt-3 max-w-2xl text-pretty text-muted">{text}</p> : null}
        <div className="mt-10">{children}</div>
      </div>
    </section>
  );
}
