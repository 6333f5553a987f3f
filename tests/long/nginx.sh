# Part of the other scripts here: a folder `work`, removed at exit, and an nginx that serves it on `port`.
# Source it with `nginx` set to the program; further servers use the next ports.
work=$(mktemp -d)
trap 'stop; rm -rf "$work"' EXIT
port=$((20000 + $$ % 20000))

start() {
    "$nginx" -p "$work" -c "$work/nginx.conf" -e "$work/error.log"
    until [ -s "$work/nginx.pid" ]; do sleep 0.1; done
}
stop() {
    if [ -s "$work/nginx.pid" ]; then
        pid=$(cat "$work/nginx.pid")
        # The master and its worker.
        kill -KILL "$pid" $(cat "/proc/$pid/task/$pid/children" 2> /dev/null) 2> /dev/null || true
        rm -f "$work/nginx.pid"
    fi
}
# SERVER…: the directives of each further server; the first one has none.
configure() {
    cat > "$work/nginx.conf" <<END
worker_processes 1;
user $(id -un);
pid $work/nginx.pid;
events { worker_connections 64; }
http {
    access_log $work/access.log;
    client_body_temp_path $work/t1; proxy_temp_path $work/t2; fastcgi_temp_path $work/t3;
    uwsgi_temp_path $work/t4; scgi_temp_path $work/t5;
    root $work;
$(next=$port; for server in '' "$@"; do echo "    server { listen 127.0.0.1:$next; $server }"; next=$((next + 1)); done)
}
END
}
