import {
  codeLanguageNames,
  codeLanguages,
  verificationCode,
  type CodeLanguage,
} from '@app/domain/webhook-endpoints/verification-code';
import { useState } from 'react';
import { t } from '../../shared/messages.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Panel } from '../../ui/page-frame.tsx';
import { Tabs } from '../../ui/tabs.tsx';

/** Code with which a receiver verifies what it gets. */
export function VerifyPanel() {
  const [language, setLanguage] = useState<CodeLanguage>('javascript');
  const code = verificationCode[language];
  return (
    <Panel
      title={t('webhookEndpoints.verify.title')}
      purpose={t('webhookEndpoints.verify.purpose')}
      actions={<CopyButton text={code} label={t('webhookEndpoints.verify.copy')} />}
    >
      <Tabs
        label={t('webhookEndpoints.verify.language')}
        value={language}
        onChange={setLanguage}
        tabs={codeLanguages.map((value) => ({ value, label: codeLanguageNames[value] }))}
      >
        <pre
          dir="ltr"
          // A long line is reached by the keyboard too.
          tabIndex={0}
          aria-label={codeLanguageNames[language]}
          className="max-h-96 overflow-auto rounded-card bg-sunken p-4 text-xs"
        >
          <code>{code}</code>
        </pre>
      </Tabs>
      <p className="mt-3 text-sm text-muted">{t('webhookEndpoints.verify.ids')}</p>
    </Panel>
  );
}
