import { findFlowProblems } from '@app/domain/flows/check-flow';
import { expect, test } from 'vitest';
import { buildWorkflowTemplate, workflowTemplateNames } from './workflow-templates.ts';

test.each(workflowTemplateNames)('the template %s lacks only what its dialog asks for', (name) => {
  const { flow, asks } = buildWorkflowTemplate(name);
  const missing = findFlowProblems(flow).map(({ code, place, id, field }) => [code, place, id, field]);
  const asked = asks.map(({ place, id, fields }) => ['field_missing', place, id, fields[0]]);
  expect(missing).toEqual(asked);
});
