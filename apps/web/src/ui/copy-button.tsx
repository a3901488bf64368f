import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button, IconButton } from './button.tsx';
import { notify } from './toast.ts';
import { useUiWords } from './ui-words.tsx';

/** Copies a text; it says so for two seconds. With `label` a whole button, else an icon. */
export function CopyButton({ text, label }: { text: string; label?: string | undefined }) {
  const words = useUiWords();
  const [copied, setCopied] = useState(false);

  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      notify.success(words.copied, { duration: 2000 });
    } catch {
      // Some browsers refuse without https: the text can then be copied from here by hand.
      notify.info(text, { duration: 15_000 });
    }
  }

  const icon = copied ? <Check aria-hidden /> : <Copy aria-hidden />;
  return label ? (
    <Button icon={icon} onClick={() => void copy()}>
      {label}
    </Button>
  ) : (
    <IconButton label={words.copy} onClick={() => void copy()}>
      {icon}
    </IconButton>
  );
}
