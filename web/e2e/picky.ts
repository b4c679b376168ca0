/** A Job with a pod failure policy whose last rule matches in none of its cases. */
import { PI } from './browser.ts';

const POLICY = [
  '  podFailurePolicy:', '    rules:',
  '    - action: FailJob', '      onExitCodes: {operator: In, values: [42]}',
  '    - action: Ignore', '      onPodConditions:', '      - type: DisruptionTarget',
  '    - action: Count', '      onExitCodes: {operator: In, values: [1, 42]}',
  '    - action: FailJob', '      onExitCodes: {operator: In, values: [42]}',
];

export const PICKY = PI.replace('  template:', [...POLICY, '  template:'].join('\n'));
