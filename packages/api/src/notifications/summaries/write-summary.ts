import {
  changeOf,
  listNeeds,
  summaryFigures,
  type Summary,
  type SummaryFigure,
  type SummaryMailKind,
} from '@app/domain/notifications/summary';
import type { InterfaceLanguage } from '@app/domain/text/interface-language';
import { pageInWorkspace } from '@app/domain/workspaces/workspace-rules';
import type { Mail } from '../../platform/jobs/mailer.ts';
import { mailWords } from '../../platform/words/mail-words.ts';
import type { MailedReport } from '../../analytics/mails/report-mail.ts';
import { reportPicture } from './render-reports.ts';
import { renderSummary, LOGO } from './render-summary.ts';
import type { SaidFigure, SaidNeed, SaidSummary } from './said-summary.ts';

export type SummaryReader = {
  /** `view`: one that was asked for now, without a summary around it. */
  kind: SummaryMailKind | 'view';
  /** The first day after the time that it is about. */
  day: string;
  timeZone: string;
  language: InterfaceLanguage;
  name: string;
  business: string;
  /** As JPEG; it travels with the mail. */
  logo: Uint8Array | null;
  publicUrl: string;
  /** In which its links open. */
  workspaceId: string;
  /** Null where the mail comes once. */
  unsubscribeUrl: string | null;
};

/** More or less of the others is more or less work. */
const tellsGood: readonly SummaryFigure[] = ['sent', 'delivered', 'read', 'failed', 'contacts'];

/** In the words of the reader, once as text and once drawn. */
export function writeSummary(
  /** Null where the mail holds nothing but views. */
  summary: Summary | null,
  reports: readonly MailedReport[],
  reader: SummaryReader,
): Pick<Mail, 'subject' | 'text' | 'pictures' | 'files'> & { html: string } {
  const reportLinks = reports.map(({ query }) => linkTo(reader, viewPath(query)));
  const said = { ...sayAll(summary ?? NOTHING, reader), hasSummary: summary !== null, reports, reportLinks };
  const pictures = [
    ...(reader.logo ? [{ name: LOGO, content: reader.logo }] : []),
    ...reports.flatMap(({ picture }, at) => (picture ? [{ name: reportPicture(at), content: picture }] : [])),
  ];
  const files = reports.flatMap((report) => report.files);
  const subject = mailWords(reader.language)(`mail.summary.${reader.kind}.subject`, {
    business: oneLine(reader.business),
    period: said.period,
  });
  return {
    ...{ subject, text: asText(said), html: renderSummary(said, reader.language, subject) },
    ...(pictures.length > 0 && { pictures }),
    ...(files.length > 0 && { files }),
  };
}

function viewPath(query: MailedReport['query']): string {
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  return search.size === 0 ? '/analytics' : `/analytics?${search}`;
}

function linkTo({ publicUrl, workspaceId }: SummaryReader, path: string): string {
  return `${publicUrl}${pageInWorkspace(`/dashboard${path}`, workspaceId)}`;
}

const NOTHING: Summary = {
  ...{ figures: {}, ended: [], endedCount: 0 },
  needs: {
    ...{ ownUnanswered: 0, freeUnanswered: 0, stoppedNumbers: [], rejectedTemplates: [] },
    ...{ pausedCampaigns: [], dueCampaigns: [] },
  },
};

function sayAll(
  { figures, ended, endedCount, needs }: Summary,
  reader: SummaryReader,
): Omit<SaidSummary, 'hasSummary' | 'reports' | 'reportLinks'> {
  const { kind, language } = reader;
  const words = mailWords(language);
  const number = new Intl.NumberFormat(language);
  const at = (path: string) => linkTo(reader, path);
  const list = (names: readonly string[]) =>
    new Intl.ListFormat(language, { type: 'conjunction' }).format(names.map(oneLine));
  const figureOf = (name: SummaryFigure): SaidFigure[] => {
    const figure = figures[name];
    // What was nothing and is nothing is no news.
    if (!figure || figure.now + figure.before === 0) return [];
    const percent = changeOf(figure);
    const isMore = figure.now > figure.before;
    return [
      {
        label: words(`mail.summary.figure.${name}`),
        value: number.format(figure.now),
        change:
          figure.now === figure.before || percent === null
            ? words('mail.summary.before', { before: figure.before })
            : words('mail.summary.change', {
                ...{ percent: `${isMore ? '+' : '−'}${number.format(Math.abs(percent))}` },
                before: figure.before,
              }),
        isGood:
          figure.now === figure.before || !tellsGood.includes(name) ? null : isMore !== (name === 'failed'),
      },
    ];
  };
  const needOf = (name: keyof Summary['needs']): SaidNeed => {
    switch (name) {
      case 'ownUnanswered':
        return {
          text: words('mail.summary.need.ownUnanswered', { n: needs.ownUnanswered }),
          link: at('/inbox?assignee=me'),
        };
      case 'freeUnanswered':
        return {
          text: words('mail.summary.need.freeUnanswered', { n: needs.freeUnanswered }),
          link: at('/inbox?assignee=nobody'),
        };
      case 'stoppedNumbers':
        return {
          text: words('mail.summary.need.stoppedNumbers', { names: list(needs.stoppedNumbers) }),
          link: at('/settings?tab=api'),
        };
      case 'rejectedTemplates':
        return {
          text: words('mail.summary.need.rejectedTemplates', { names: list(needs.rejectedTemplates) }),
          link: at('/templates'),
        };
      case 'pausedCampaigns':
        return {
          text: words('mail.summary.need.pausedCampaigns', { names: list(needs.pausedCampaigns) }),
          link: at('/campaigns'),
        };
      case 'dueCampaigns':
        return {
          text: words('mail.summary.need.dueCampaigns', {
            names: list(needs.dueCampaigns.map((one) => `${oneLine(one.name)} (${sayTime(one.at, reader)})`)),
          }),
          link: at('/campaigns'),
        };
    }
  };
  return {
    title: words(`mail.summary.${kind}.title`),
    period: sayPeriod(reader),
    business: reader.business,
    hasLogo: reader.logo !== null,
    greeting: words('mail.summary.greeting', {
      name: oneLine(reader.name),
      business: oneLine(reader.business),
    }),
    figures: summaryFigures.flatMap(figureOf),
    needsTitle: words('mail.summary.needs'),
    needs: listNeeds(needs).map(needOf),
    nothingNeeds: words('mail.summary.nothingNeeds'),
    endedTitle: words('mail.summary.ended', { n: endedCount }),
    ended: ended.map(({ id, name, sent, failed }) => ({
      ...{ name: oneLine(name), link: at(`/campaigns/${id}`) },
      text: words('mail.summary.endedFigures', { sent, failed }),
    })),
    open: { text: words('mail.summary.open'), link: at('') },
    reportWords: {
      gone: words('mail.report.gone'),
      attached: words('mail.report.attached'),
      open: words('mail.report.open'),
    },
    why: words(kind === 'view' ? 'mail.summary.view.why' : 'mail.summary.why'),
    unsubscribe:
      kind === 'view' || reader.unsubscribeUrl === null
        ? null
        : { text: words(`mail.summary.${kind}.unsubscribe`), link: reader.unsubscribeUrl },
  };
}

function asText(said: SaidSummary): string {
  const parts = [
    [said.greeting, `${said.title}, ${said.period}`],
    said.figures.map(({ label, value, change }) => `${label}: ${value} · ${change}`),
    ...said.reports.map((report, at) => reportText(report, said.reportWords, said.reportLinks[at])),
    said.needs.length > 0
      ? [`${said.needsTitle}:`, ...said.needs.map(({ text, link }) => `- ${text}\n  ${link}`)]
      : said.hasSummary
        ? [said.nothingNeeds]
        : [],
    said.ended.length > 0
      ? [`${said.endedTitle}:`, ...said.ended.map(({ name, text }) => `- ${name}: ${text}`)]
      : [],
    [`${said.open.text}: ${said.open.link}`],
    [said.why, ...(said.unsubscribe ? [`${said.unsubscribe.text}: ${said.unsubscribe.link}`] : [])],
  ];
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

/** Without pictures: the figures of each view in words. */
function reportText(
  { name, said }: MailedReport,
  words: SaidSummary['reportWords'],
  link: string | undefined,
): string[] {
  if (!said) return [oneLine(name), words.gone];
  return [
    `${oneLine(name)}, ${said.period}`,
    ...said.filters.map(oneLine),
    ...said.figures.map(({ label, value, change }) => `${label}: ${value}${change ? ` · ${change}` : ''}`),
    words.attached,
    `${words.open}: ${link}`,
  ];
}

const DAY_MS = 86_400_000;

function sayPeriod({ kind, day, language }: SummaryReader): string {
  const end = Date.parse(`${day}T00:00:00Z`);
  const format = (style: 'full' | 'long') =>
    new Intl.DateTimeFormat(language, { dateStyle: style, timeZone: 'UTC' });
  if (kind === 'view') return format('long').format(end);
  if (kind === 'monthly_report')
    return new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
      end - DAY_MS,
    );
  return kind === 'daily_summary'
    ? format('full').format(end - DAY_MS)
    : format('long').formatRange(end - 7 * DAY_MS, end - DAY_MS);
}

function sayTime(at: Date, { kind, language, timeZone }: SummaryReader): string {
  return new Intl.DateTimeFormat(language, {
    ...{ timeZone, hour: '2-digit', minute: '2-digit' },
    ...(kind === 'weekly_report' && { weekday: 'short' }),
  }).format(at);
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
