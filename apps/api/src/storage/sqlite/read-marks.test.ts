import { openSqliteUnderTest } from '../../testing/sqlite-under-test.ts';
import { describeReadMarks } from '../read-marks-store-contract.ts';

describeReadMarks('SQLite', async () => openSqliteUnderTest());
