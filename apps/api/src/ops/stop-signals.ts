/** Resolves on the first SIGTERM or SIGINT; a second one, from an impatient user, calls `onSecond`. */
export function stopSignal(onSecond: () => void | Promise<void>): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let isStopping = false;
    const handle = (signal: NodeJS.Signals): void => {
      if (isStopping) {
        void onSecond();
        return;
      }
      isStopping = true;
      resolve(signal);
    };
    process.on('SIGTERM', handle);
    process.on('SIGINT', handle);
  });
}
