-- Faults that every student meets are known by a word, not by an English sentence.
UPDATE seats SET fault = 'cpu' WHERE fault = 'out of CPU time';
UPDATE seats SET fault = 'memory' WHERE fault = 'over the memory limit';
UPDATE seats SET fault = 'stack' WHERE fault = 'stack overflow';
