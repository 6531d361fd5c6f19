package chat;

import jakarta.websocket.OnMessage;
import jakarta.websocket.OnOpen;
import jakarta.websocket.Session;
import jakarta.websocket.server.PathParam;
import jakarta.websocket.server.ServerEndpoint;
import java.io.IOException;
import java.nio.file.*;
import java.sql.*;

@ServerEndpoint("/chat/{room}")
public class ChatEndpoint {

    private Connection db;

    @OnOpen
    public void open(Session session) throws SQLException {
        db = DriverManager.getConnection("jdbc:h2:/var/lib/chat");
    }

    @OnMessage
    public void message(String text, Session session, @PathParam("room") String room) throws SQLException, IOException {
        session.getUserProperties().put("room", room);
        if (text.startsWith("/history ")) {
            String who = text.substring("/history ".length());
            ResultSet rs = db.createStatement().executeQuery("SELECT line FROM chat WHERE who = '" + who + "'");
            while (rs.next()) {
                session.getBasicRemote().sendText(rs.getString(1));
            }
        } else if (text.startsWith("/log")) {
            String day = text.replaceFirst("^/log\\s+", "");
            Path log = Paths.get("/var/log/chat/" + day + ".log");
            session.getBasicRemote().sendText(Files.readString(log));
        } else {
            PreparedStatement ps = db.prepareStatement("INSERT INTO chat(who, line) VALUES (?, ?)");
            ps.setString(1, session.getId());
            ps.setString(2, text);
            ps.executeUpdate();
        }
    }
}
