using System;
using System.Collections.Generic;
using System.Data.SqlClient;
using System.Web.UI;

public partial class Cargo : Page
{
    private const string ConnectionString = "Server=db;Database=cargo;Integrated Security=true";

    private object Scalar(string sql)
    {
        using (var con = new SqlConnection(ConnectionString))
        {
            con.Open();
            return new SqlCommand(sql, con).ExecuteScalar();
        }
    }

    protected void Page_Load(object sender, EventArgs e)
    {
        var list = new List<string> { "HAM", Request.QueryString["port"], "open" };
        list.RemoveAt(0);
        Title = Convert.ToString(Scalar("SELECT COUNT(*) FROM cargo WHERE port = '" + list[0] + "'"));
    }

    protected void Refresh_Click(object sender, EventArgs e)
    {
        var queue = new Queue<string>();
        queue.Enqueue("open");
        queue.Enqueue(Request.Form["ship"]);
        string state = queue.Dequeue();
        using (var con = new SqlConnection(ConnectionString))
        {
            con.Open();
            var n = new SqlCommand("SELECT COUNT(*) FROM cargo WHERE state = '" + state + "'", con).ExecuteScalar();
            ViewState["n"] = n;
        }
    }

    protected void Undo_Click(object sender, EventArgs e)
    {
        var stack = new Stack<string>();
        stack.Push("none");
        stack.Push(Request["reason"]);
        using (var con = new SqlConnection(ConnectionString))
        {
            con.Open();
            new SqlCommand("INSERT INTO undo(reason) VALUES ('" + stack.Pop() + "')", con).ExecuteNonQuery();
            new SqlCommand("UPDATE cargo SET state = '" + stack.Pop() + "'", con).ExecuteNonQuery();
        }
    }
}
