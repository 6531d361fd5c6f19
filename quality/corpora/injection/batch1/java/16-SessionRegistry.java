package com.acme.session;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.websocket.OnMessage;
import javax.websocket.OnOpen;
import javax.websocket.Session;
import javax.websocket.server.ServerEndpoint;

@ServerEndpoint("/presence")
public class SessionRegistry {

    static String lastRoom = "lobby";
    static final String HOME = "lobby";
    static Connection con;

    @OnOpen
    public void open(Session s) throws Exception {
        try (Statement st = con.createStatement();
             ResultSet rs = st.executeQuery("SELECT topic FROM room WHERE name = '" + HOME + "'")) {
            if (rs.next()) {
                s.getBasicRemote().sendText(rs.getString(1));
            }
        }
    }

    @OnMessage
    public void message(Session s, String text) throws Exception {
        if (text.startsWith("/join ")) {
            lastRoom = text.substring(6);
        }
        s.getBasicRemote().sendText(String.valueOf(members()));
    }

    private static int members() throws SQLException {
        try (Statement st = con.createStatement();
             ResultSet rs = st.executeQuery("SELECT count(*) FROM member WHERE room = '" + lastRoom + "'")) {
            rs.next();
            return rs.getInt(1);
        }
    }
}
