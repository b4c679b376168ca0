/** The program `jobsmith`, for tests of what the page exports for it. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { test } from 'vitest';

export const JOBSMITH = process.env['JOBSMITH'] ?? fileURLToPath(new URL('../../target/release/jobsmith', import.meta.url));

/** A test that runs the program; it is skipped where that was not built, but never in CI. */
export const built = test.skipIf(process.env['CI'] !== 'true' && !existsSync(JOBSMITH));

/** What a shell prints and with which status it ends, where `jobsmith` is the program. */
export function shell(command: string): { status: number; output: string } {
  try {
    return { status: 0, output: execFileSync('sh', ['-c', `jobsmith() { "${JOBSMITH}" "$@"; }\n${command}`], { encoding: 'utf8' }) };
  } catch (error) {
    const { status, stdout, stderr } = error as { status: number; stdout: string; stderr: string };
    return { status, output: `${stdout}${stderr}` };
  }
}
