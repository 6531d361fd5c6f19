using System;
using System.Collections.Generic;
using System.Data;
using System.Data.SqlClient;
using System.Web;

namespace Hotel
{
    public class BookingStore : IHttpHandler
    {
        private readonly string _cs = "Server=db;Database=hotel;Integrated Security=true";

        public bool IsReusable => true;

        public void ProcessRequest(HttpContext context)
        {
            var guest = context.Request.QueryString["guest"];
            var room = context.Request.QueryString["room"];
            using (var con = new SqlConnection(_cs))
            using (var cmd = con.CreateCommand())
            {
                con.Open();
                cmd.CommandText = "SELECT Id, Arrives FROM Booking WHERE 1 = 1";
                if (guest != null)
                {
                    cmd.CommandText += " AND Guest LIKE @guest";
                    cmd.Parameters.AddWithValue("@guest", "%" + guest + "%");
                }
                if (room != null)
                {
                    cmd.CommandText += " AND Room = @room";
                    cmd.Parameters.Add("@room", SqlDbType.NVarChar, 10).Value = room;
                }
                using (var r = cmd.ExecuteReader())
                {
                    while (r.Read())
                    {
                        context.Response.Write(r.GetInt32(0) + " " + r.GetDateTime(1).ToString("s") + "\n");
                    }
                }
            }
        }
    }
}
