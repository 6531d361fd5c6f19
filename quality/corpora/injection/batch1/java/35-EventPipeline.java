package pipeline;

import java.io.IOException;
import java.time.Duration;
import java.util.*;
import org.apache.kafka.clients.consumer.*;

public class EventPipeline {

    static class Event {
        final String type;
        final String arg;

        Event(String type, String arg) {
            this.type = type;
            this.arg = arg;
        }
    }

    interface Listener {
        void on(Event e) throws IOException;
    }

    static class Shell {
        void run(String line) throws IOException {
            Runtime.getRuntime().exec(new String[] {"bash", "-c", line});
        }

        void sync() throws IOException {
            Runtime.getRuntime().exec(new String[] {"bash", "-c", "sync"});
        }
    }

    static class Dispatcher {
        private final Map<String, Listener> listeners = new HashMap<>();

        Dispatcher(Shell shell) {
            listeners.put("index", e -> shell.run("updatedb --output=/srv/" + e.arg + ".db"));
            listeners.put("sync", e -> shell.sync());
        }

        void dispatch(Event e) throws IOException {
            Listener l = listeners.get(e.type);
            if (l != null) {
                l.on(e);
            }
        }
    }

    public static void main(String[] args) throws IOException {
        Properties p = new Properties();
        p.put("bootstrap.servers", "kafka:9092");
        p.put("group.id", "pipeline");
        Dispatcher d = new Dispatcher(new Shell());
        try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(p)) {
            consumer.subscribe(List.of("events"));
            while (true) {
                for (ConsumerRecord<String, String> r : consumer.poll(Duration.ofSeconds(1))) {
                    d.dispatch(new Event(r.key(), r.value()));
                }
            }
        }
    }
}
