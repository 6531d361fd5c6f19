using System;
using System.Data;
using System.Data.OleDb;
using System.ServiceModel;
using System.ServiceModel.Web;

namespace Accounts
{
    [ServiceContract]
    public interface IAccountService
    {
        [OperationContract, WebGet(UriTemplate = "balance?account={account}")]
        decimal Balance(string account);

        [OperationContract, WebGet(UriTemplate = "limit?account={account}")]
        decimal Limit(string account);

        [OperationContract, WebInvoke(Method = "DELETE", UriTemplate = "standing?reference={reference}")]
        int DropStanding(string reference);
    }

    public class AccountService : IAccountService
    {
        private static OleDbConnection Open()
        {
            var con = new OleDbConnection(Environment.GetEnvironmentVariable("ACCOUNTS_OLEDB"));
            con.Open();
            return con;
        }

        public decimal Balance(string account)
        {
            string key;
            try
            {
                key = long.Parse(account).ToString();
            }
            catch (FormatException)
            {
                key = account;
            }
            using (var con = Open())
            using (var cmd = new OleDbCommand("SELECT Balance FROM Account WHERE Nr = " + key, con))
                return (decimal)cmd.ExecuteScalar();
        }

        public decimal Limit(string account)
        {
            long key;
            try
            {
                key = Convert.ToInt64(account);
            }
            catch (FormatException e)
            {
                throw new FaultException(e.Message);
            }
            using (var con = Open())
            using (var cmd = new OleDbCommand("SELECT CreditLimit FROM Account WHERE Nr = " + key, con))
                return (decimal)cmd.ExecuteScalar();
        }

        public int DropStanding(string reference)
        {
            using (var con = Open())
            {
                var cmd = new OleDbCommand("DELETE FROM Standing WHERE Ref = '" + reference + "'", con);
                cmd.CommandType = CommandType.Text;
                return cmd.ExecuteNonQuery();
            }
        }
    }
}
