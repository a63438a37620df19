/** Options for `startTracing`, for a trace that `taskTimesMs` reads. */
export const TASK_TRACE = { categories: ['toplevel', '__metadata'] };

interface TraceEvent {
  name: string;
  tid: number;
  /** The processor time in microseconds; missing if the thread did not run. */
  tdur?: number;
  args: { name?: string };
}

/**
 * Returns the processor time of each task of the page in milliseconds. Wall-clock time would include other load on the
 * machine.
 */
export function taskTimesMs(trace: Buffer): number[] {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const mains = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(({ tid }) => tid),
  );
  const tasks = traceEvents.filter(({ name, tid }) => name === 'ThreadControllerImpl::RunTask' && mains.has(tid));
  if (tasks.length <= 5) throw new Error('The trace contains hardly any tasks of the page');
  return tasks.map(({ tdur }) => (tdur ?? 0) / 1_000);
}
