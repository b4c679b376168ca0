/** What the signs of a picture mean: of each that is in it, one as a sample. */
import { type Bar, ended, estimated, type Phase, type Row } from '../model/bars.ts';
import type { Band } from '../model/bands.ts';
import type { CronJob } from '../model/runs.ts';
import type { MarkKind, Story } from '../model/story.ts';
import { drawBands, drawMarks, LANE, MARK_LANES } from '../timeline/lanes.ts';
import type { Palette } from '../timeline/palette.ts';
import { drawPods, drawWait, ROW, startDrawing } from '../timeline/rows.ts';
import { drawCronJob, drawJob } from '../timeline/runs.ts';
import { scale } from '../timeline/scale.ts';
import type { SvgInk } from '../timeline/svgInk.ts';

/** A sign and its meaning; it is drawn into a rectangle. */
interface Sample {
  text: string;
  draw: () => void;
}

const PHASES: Record<Phase, string> = { Pending: 'Pending', Running: 'Running', Ready: 'Ready', Waiting: 'waiting to restart', Succeeded: 'Succeeded', Failed: 'Failed, with its exit code' };
const MARKS: Record<MarkKind, string> = {
  does: 'decision to act', waits: 'decision to wait', write: 'write', refused: 'failed write', action: 'action', difference: 'gap in the record, or difference from it', complaint: 'problem',
};
const BANDS: Record<Band['kind'], string> = { state: 'holds for the object', delay: 'back-off or another wait', fault: 'fault' };
/** How wide a sample is, and how far the next is from the words of one. */
const [SAMPLE, APART] = [30, 16];
/** A sample lasts as long as the sample is wide. */
const TIME = { from: 0, to: SAMPLE };
const START = { at: 0, step: 0 };

/** Draws the samples of all sessions side by side, and in as many lines as they need; answers where they end. */
export function drawLegend(ink: SvgInk, stories: Story[], colours: Palette, area: { x: number; y: number; width: number }): number {
  let [x, y] = [area.x, area.y];
  const samples = [podSamples, runSamples, bandSamples, markSamples].flatMap((of) => stories.flatMap((story) => of(ink, story, colours)));
  for (const { text, draw } of new Map(samples.map((sample) => [sample.text, sample])).values()) {
    ink.font = `11px ${colours.font}`;
    ink.textBaseline = 'middle';
    const width = SAMPLE + 6 + ink.measureText(text).width + APART;
    if (x > area.x && x + width > area.x + area.width + APART) [x, y] = [area.x, y + ROW];
    ink.within(x, y, SAMPLE, ROW, draw);
    ink.font = `11px ${colours.font}`;
    ink.fillStyle = colours.text;
    ink.fillText(text, x + SAMPLE + 6, y + ROW / 2);
    x += width;
  }
  return y + ROW;
}

function podSamples(ink: SvgInk, story: Story, colours: Palette): Sample[] {
  const rows = story.bars.rows();
  const bars = rows.flatMap((row) => row.bars);
  const drawing = () => startDrawing(ink, scale(TIME, SAMPLE), colours, SAMPLE);
  const sample = (text: string, known: Bar | undefined, changed: (bar: Bar) => Partial<Bar>): Sample[] => {
    const row = rows[0];
    if (!known || !row) return [];
    const alone: Bar = { ...known, phases: [moment('Running')], restarts: [], deleting: null, released: null, ended: null, gone: null, ...changed(known) };
    return [{ text, draw: () => drawPods(drawing(), { ...row, bars: [alone], waits: [] } satisfies Row, 0) }];
  };
  const phases = (Object.keys(PHASES) as Phase[]).flatMap((phase) => {
    const known = bars.find((bar) => bar.phases.some((one) => one.phase === phase));
    return sample(PHASES[phase], known, () => (ended(phase) ? { exitCode: null, reason: '', phases: [moment('Running'), { ...moment(phase), at: SAMPLE }], ended: { at: SAMPLE, step: 0 } } : { phases: [moment(phase)] }));
  });
  const waits = rows.some((row) => row.waits.length > 0);
  return [
    ...phases,
    ...sample('being deleted', bars.find((bar) => bar.deleting), () => ({ deleting: { at: 0, step: 0 } })),
    ...sample('gone', bars.find((bar) => bar.gone), () => ({ gone: { at: SAMPLE, step: 0 } })),
    ...sample('estimated: nothing recorded it', bars.find(estimated), () => ({ phases: [{ ...moment('Running'), estimated: true }] })),
    ...sample('kept until it is counted', bars.find(held), () => ({ phases: [moment('Running'), { ...moment('Succeeded'), at: 4 }], exitCode: null, reason: '', ended: { at: 4, step: 0 }, released: { at: SAMPLE, step: 0 } })),
    ...sample('container restarted', bars.find((bar) => bar.restarts.length > 0), () => ({ restarts: [{ at: SAMPLE / 2, step: 0, container: '', exitCode: 1 }] })),
    ...(waits ? [{ text: 'waiting', draw: () => drawWait(drawing(), { from: 0, until: SAMPLE, planned: SAMPLE }, ROW / 2) }] : []),
  ];
}

/** Whether a pod is kept after its end. */
function held({ ended, released }: Bar): boolean {
  return ended !== null && (released === null || released.at > ended.at);
}

function runSamples(ink: SvgInk, story: Story, colours: Palette): Sample[] {
  const { cronJobs } = story.runs;
  const drawing = () => startDrawing(ink, scale(TIME, SAMPLE), colours, SAMPLE);
  const row = (text: string, known: CronJob | undefined, only: Partial<CronJob>): Sample[] => (known ? [{ text, draw: () => drawCronJob(drawing(), { ...known, jobs: [], runs: [], clockChanges: [], ...only }, 0) }] : []);
  const [runs, jobs] = [cronJobs.flatMap((one) => one.runs), cronJobs.flatMap((one) => one.jobs)];
  const [skipped, late, gone] = [runs.find((run) => run.job === null), runs.find((run) => run.late !== null && run.job), jobs.find((job) => job.gone)];
  const change = cronJobs.flatMap(({ clockChanges }) => clockChanges)[0];
  const job = gone && { ...gone, created: START, delays: [], finished: null, deleting: null, removed: null, gone: START };
  return [
    ...(skipped ? row('no Job started', cronJobs[0], { runs: [{ ...skipped, scheduledAt: SAMPLE / 2 }] }) : []),
    ...(late?.job ? row('started late', cronJobs[0], { runs: [{ ...late, scheduledAt: 4, job: { ...late.job, created: { at: SAMPLE - 4, step: 0 } } }] }) : []),
    ...(change ? row('clock change', cronJobs[0], { clockChanges: [{ ...change, at: SAMPLE / 2 }] }) : []),
    ...(job ? [{ text: 'Job deleted', draw: () => drawJob(drawing(), job, 0) }] : []),
  ];
}

function bandSamples(ink: SvgInk, story: Story, colours: Palette): Sample[] {
  return (Object.keys(BANDS) as Band['kind'][]).flatMap((kind) => {
    const known = story.bands.find((band) => band.kind === kind);
    const band = known && { ...known, label: '', planned: null, from: START, until: { at: SAMPLE, step: 0 } };
    return band ? [{ text: BANDS[kind], draw: () => drawBands(ink, [{ bands: [band] }], scale(TIME, SAMPLE), colours, SAMPLE) }] : [];
  });
}

function markSamples(ink: SvgInk, story: Story, colours: Palette): Sample[] {
  return (Object.keys(MARKS) as MarkKind[]).flatMap((kind) => {
    const known = story.marks.find((mark) => mark.kind === kind);
    const lane = MARK_LANES.findIndex(({ kinds }) => kinds.includes(kind));
    const draw = (): void => ink.within(0, (ROW - LANE) / 2 - lane * LANE, SAMPLE, MARK_LANES.length * LANE, () => drawMarks(ink, known ? [{ ...known, at: SAMPLE / 2 }] : [], scale(TIME, SAMPLE), colours));
    return known ? [{ text: MARKS[kind], draw }] : [];
  });
}

function moment<Name extends Phase>(phase: Name): { phase: Name; at: number; step: number } {
  return { phase, at: 0, step: 0 };
}
