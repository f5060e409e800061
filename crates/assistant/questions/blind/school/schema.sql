CREATE TABLE tblSubject (
  subjectCode text PRIMARY KEY,
  subjectName text,
  department text
);
CREATE TABLE tblTeacher (
  teacherId integer PRIMARY KEY,
  firstName text,
  lastName text,
  mainSubject text REFERENCES tblSubject (subjectCode),
  hiredOn text,
  weeklyHours integer,
  isActive integer
);
CREATE TABLE tblClass (
  classId integer PRIMARY KEY,
  className text,
  gradeLevel integer,
  formTeacherId integer REFERENCES tblTeacher (teacherId),
  room text
);
CREATE TABLE tblStudent (
  studentId integer PRIMARY KEY,
  firstName text,
  lastName text,
  gender text,
  birthDate text,
  classId integer REFERENCES tblClass (classId),
  district text,
  hasLunchPlan integer,
  hasScholarship integer,
  enrolledOn text
);
CREATE TABLE tblExam (
  examId integer PRIMARY KEY,
  subjectCode text REFERENCES tblSubject (subjectCode),
  classId integer REFERENCES tblClass (classId),
  teacherId integer REFERENCES tblTeacher (teacherId),
  examDate text,
  examType text,
  maxPoints integer
);
CREATE TABLE tblResult (
  resultId integer PRIMARY KEY,
  examId integer REFERENCES tblExam (examId),
  studentId integer REFERENCES tblStudent (studentId),
  points real,
  passed integer
);
CREATE TABLE tblAbsenceReason (
  reasonCode integer PRIMARY KEY,
  reasonText text
);
CREATE TABLE tblAbsence (
  absenceId integer PRIMARY KEY,
  studentId integer REFERENCES tblStudent (studentId),
  absentOn text,
  lessonsMissed integer,
  reasonCode integer REFERENCES tblAbsenceReason (reasonCode),
  isExcused integer
);
CREATE TABLE tblFee (
  feeId integer PRIMARY KEY,
  studentId integer REFERENCES tblStudent (studentId),
  feeKind text,
  dueDate text,
  paidDate text,
  amount real
);
