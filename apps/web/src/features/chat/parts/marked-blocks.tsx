import {
  readMarkedBlocks,
  type TextBlock,
  type TextPiece,
  type TextStyle,
} from '@app/domain/text/marked-text';
import { memo, type ReactNode } from 'react';

/** A text as the phone lays it out. Everything in it is text; addresses open in a tab of their own and tell nobody where from. */
export const MarkedBlocks = memo(function MarkedBlocks({
  text,
  find,
}: {
  text: string;
  find?: string | undefined;
}) {
  return (
    <div className="min-w-0 [unicode-bidi:plaintext] wrap-anywhere whitespace-pre-wrap" dir="auto">
      {readMarkedBlocks(text).map((block, index) => (
        <Block key={index} block={block} find={find} />
      ))}
    </div>
  );
});

function Block({ block, find }: { block: TextBlock; find: string | undefined }) {
  if (block.kind === 'list') {
    const items = block.items.map((pieces, index) => (
      <li key={index} dir="auto">
        <Pieces pieces={pieces} find={find} />
      </li>
    ));
    return block.start === null ? (
      <ul className="list-disc ps-5">{items}</ul>
    ) : (
      <ol className="list-decimal ps-6" start={block.start}>
        {items}
      </ol>
    );
  }
  const inner = <Pieces pieces={block.pieces} find={find} />;
  return block.kind === 'quote' ? (
    <blockquote dir="auto" className="border-s-3 border-bubble-muted/50 ps-2 text-bubble-muted">
      {inner}
    </blockquote>
  ) : (
    <p dir="auto" className="[unicode-bidi:plaintext]">
      {inner}
    </p>
  );
}

function Pieces({ pieces, find }: { pieces: readonly TextPiece[]; find: string | undefined }): ReactNode {
  return pieces.map((piece, index) => {
    if (typeof piece === 'string') return <FoundText key={index} text={piece} find={find} />;
    if ('link' in piece)
      return (
        <a
          key={index}
          href={piece.link}
          target="_blank"
          rel="noopener noreferrer nofollow ugc"
          className="text-bubble-link underline underline-offset-2"
        >
          <FoundText text={piece.text} find={find} />
        </a>
      );
    return <span key={index}>{wrap[piece.style](<Pieces pieces={piece.pieces} find={find} />)}</span>;
  });
}

const wrap: Record<TextStyle, (inner: ReactNode) => ReactNode> = {
  bold: (inner) => <strong className="font-semibold">{inner}</strong>,
  italic: (inner) => <em>{inner}</em>,
  strike: (inner) => <s>{inner}</s>,
  mono: (inner) => <code className="font-mono text-sm">{inner}</code>,
  code: (inner) => (
    <code className="rounded bg-black/8 px-1 font-mono text-sm dark:bg-white/12">{inner}</code>
  ),
};

/** What was searched for stands out. */
function FoundText({ text, find }: { text: string; find: string | undefined }): ReactNode {
  if (!find) return text;
  const [lower, term] = [text.toLowerCase(), find.toLowerCase()];
  // Some letters change their length with their case: then nothing stands out rather than the wrong letters.
  const at = lower.length === text.length ? lower.indexOf(term) : -1;
  if (at === -1) return text;
  return (
    <>
      {text.slice(0, at)}
      <mark className="rounded-xs bg-warning-soft text-warning">{text.slice(at, at + find.length)}</mark>
      <FoundText text={text.slice(at + find.length)} find={find} />
    </>
  );
}
