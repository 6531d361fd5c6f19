package game.admin;

import jakarta.websocket.OnMessage;
import jakarta.websocket.Session;
import jakarta.websocket.server.PathParam;
import jakarta.websocket.server.ServerEndpoint;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import javax.sql.DataSource;

@ServerEndpoint("/console/{room}")
public class ConsoleEndpoint {

    private static final Map<String, String> UNITS = Map.of("world", "game-world.service", "chat", "game-chat.service");
    static final BlockingQueue<Task> PENDING = new LinkedBlockingQueue<>();

    record Task(String room, String text) { }

    static class UnknownCommandException extends Exception {
        UnknownCommandException(String line) {
            super("unknown command: " + line);
        }
    }

    private final DataSource dataSource = Databases.admin();

    @OnMessage
    public void onMessage(String line, Session session, @PathParam("room") String room) throws Exception {
        try {
            dispatch(line.split(" ", 2), room);
        } catch (UnknownCommandException e) {
            audit(e);
            session.getBasicRemote().sendText("?");
        }
    }

    private void dispatch(String[] words, String room) throws Exception {
        String rest = words.length > 1 ? words[1] : "";
        switch (words[0]) {
            case "grep" -> PENDING.put(new Task(room, rest));
            case "status" -> {
                String unit = UNITS.get(rest);
                if (unit != null) {
                    Runtime.getRuntime().exec("systemctl status " + unit);
                }
            }
            case "forget" -> forget(room, Integer.parseInt(rest));
            default -> throw new UnknownCommandException(String.join(" ", words));
        }
    }

    private void audit(Exception problem) throws SQLException {
        try (Connection c = dataSource.getConnection(); Statement st = c.createStatement()) {
            st.executeUpdate("INSERT INTO console_audit (message) VALUES ('" + problem.getMessage() + "')");
        }
    }

    private void forget(String room, int days) throws SQLException {
        String sql = "DELETE FROM console_audit WHERE room = ? AND age_days > " + days;
        try (Connection c = dataSource.getConnection(); PreparedStatement ps = c.prepareStatement(sql)) {
            ps.setString(1, room);
            ps.executeUpdate();
        }
    }

    static class GrepWorker implements Runnable {
        @Override
        public void run() {
            try {
                while (!Thread.currentThread().isInterrupted()) {
                    Task task = PENDING.take();
                    String command = "grep -i -- \"" + task.text() + "\" /var/log/game/server.log | tail -50";
                    new ProcessBuilder("/bin/sh", "-c", command).inheritIO().start().waitFor();
                }
            } catch (IOException | InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
