#!/bin/bash
# all.sh NAME:SECONDS... - each one's results into $OUT/NAME.tgz
top=$OUT; here=$(cd "$(dirname "$0")" && pwd)
for x in "$@"; do n=${x%%:*}; t=${x##*:}; mkdir -p /tmp/r/$n; s=$(date +%s)
  (export OUT=/tmp/r/$n; cd $here/$n; timeout $t bash run.sh > /tmp/r/$n/stdout.log 2>&1; echo "rc $?" >> /tmp/r/$n/stdout.log)
  tar czf $top/$n.tgz -C /tmp/r $n; echo "$n $(( $(date +%s) - s )) s"; tail -n 3 /tmp/r/$n/stdout.log; ls -l $top/$n.tgz; done
