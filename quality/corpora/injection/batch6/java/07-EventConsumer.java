package com.acme.events;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import javax.sql.DataSource;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.header.Header;

public class EventConsumer implements Runnable {

    public static final class Heartbeat implements Serializable {
        private static final long serialVersionUID = 1L;
        long at;
        int load;
    }

    private final KafkaConsumer<String, byte[]> consumer;
    private final DataSource ds;
    private volatile boolean running = true;

    public EventConsumer(Properties props, DataSource ds) {
        this.consumer = new KafkaConsumer<>(props);
        this.ds = ds;
    }

    @Override
    public void run() {
        consumer.subscribe(List.of("heartbeats", "audit", "purge"));
        while (running) {
            for (ConsumerRecord<String, byte[]> rec : consumer.poll(Duration.ofSeconds(1))) {
                try {
                    switch (rec.topic()) {
                        case "heartbeats" -> heartbeat(rec);
                        case "audit" -> audit(rec);
                        default -> purge(rec);
                    }
                } catch (IOException | ClassNotFoundException | SQLException e) {
                    System.err.println("skipped " + rec.offset() + ": " + e.getMessage());
                }
            }
        }
        consumer.close();
    }

    private void heartbeat(ConsumerRecord<String, byte[]> rec) throws IOException, ClassNotFoundException, SQLException {
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(rec.value()))) {
            in.setObjectInputFilter(ObjectInputFilter.Config.createFilter(Heartbeat.class.getName() + ";!*"));
            Heartbeat hb = (Heartbeat) in.readObject();
            insert(rec.key(), "load " + hb.load);
        }
    }

    private void audit(ConsumerRecord<String, byte[]> rec) throws IOException, ClassNotFoundException, SQLException {
        Object event;
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(rec.value()))) {
            event = in.readObject();
        }
        insert(rec.key(), String.valueOf(event));
    }

    private void purge(ConsumerRecord<String, byte[]> rec) throws SQLException {
        Header tenant = rec.headers().lastHeader("tenant");
        if (tenant == null) {
            return;
        }
        String schema = new String(tenant.value(), StandardCharsets.UTF_8);
        try (Connection con = ds.getConnection(); Statement st = con.createStatement()) {
            st.executeUpdate("DELETE FROM " + schema + ".event_log WHERE created < now() - interval '30 days'");
        }
    }

    private void insert(String source, String text) throws SQLException {
        try (Connection con = ds.getConnection();
             PreparedStatement ps = con.prepareStatement("INSERT INTO event_log (source, text) VALUES (?, ?)")) {
            ps.setString(1, source);
            ps.setString(2, text);
            ps.executeUpdate();
        }
    }

    public void stop() {
        running = false;
    }
}
